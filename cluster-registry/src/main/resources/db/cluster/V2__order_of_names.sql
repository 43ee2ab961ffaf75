-- The lesser name is told as everywhere else, whatever the database's language.
alter table round_trip drop constraint round_trip_check;
alter table round_trip add check (one collate "C" < other collate "C");
