-- The cluster whose report of this attempt found the proof of ownership; another cluster has to confirm it.
alter table replica add column confirmed_by text;
-- The cluster that has the trial, or had it last.
alter table replica add column tried_by text;
-- That cluster has not reported yet.
alter table replica add column unreported boolean not null default false;
