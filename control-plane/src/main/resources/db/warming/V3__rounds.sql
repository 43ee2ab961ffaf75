-- The state in which an admin paused it: it goes on there.
alter table warming add column paused_in text check (paused_in in ('PLANNING', 'RUNNING', 'WAITING'));
update warming set paused_in = case
        when planned then 'RUNNING'
        when every_seconds is not null and planned_at is not null then 'WAITING'
        else 'PLANNING'
    end
    where state = 'PAUSED';
update warming set plan_after = coalesce(plan_after, now()) where paused_in = 'WAITING';

-- A claim has a number that no other claim ever had.
create sequence warming_claim;
select setval('warming_claim', 1 + greatest(
    (select coalesce(max(claim), 0) from warming), (select coalesce(max(claim), 0) from warming_chunk)));
