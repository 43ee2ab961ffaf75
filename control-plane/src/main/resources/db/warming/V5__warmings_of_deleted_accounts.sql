-- An account's warmings end with it: made anew, it begins with none.
update warming w set state = 'CANCELLED', flaw = 'the account was deleted', version = w.version + 1, ended_at = now()
from account a
where a.resource_name = w.resource_name and a.state = 'DELETED'
and w.state in ('PLANNING', 'RUNNING', 'WAITING', 'PAUSED');
