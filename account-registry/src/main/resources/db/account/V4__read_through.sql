-- The region of another of its replicas, from which a block may be fetched that a replica does not have; null for none. And
-- the most time that a call may wait for it.
alter table account add column read_through text;
alter table account add column read_through_millis integer check (read_through_millis > 0);
alter table account add constraint account_read_through check ((read_through is null) = (read_through_millis is null));

-- Where it is not served for now, though it may be.
alter table account add column avoided_regions text[] not null default '{}';
alter table account alter column avoided_regions drop default;
