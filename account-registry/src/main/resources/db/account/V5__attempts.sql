-- Names the place and the credential that are to be tried: what was found with those of before is left alone. A trial that is
-- under way goes by the nonce.
alter table replica add column attempt text;
update replica set attempt = nonce;
alter table replica alter column attempt set not null;
