-- When each block was told of last: 4 bytes a block, seconds since 1970, in the order of the blocks. Null: all at told_at.
alter table heat add column told bytea;
