-- The lease to which a chunk or a listing was given: it alone may report on it.
alter table warming_chunk add column claimed_by uuid;
alter table warming add column claimed_by uuid;
