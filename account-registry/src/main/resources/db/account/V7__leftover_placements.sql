-- An account's placements end with it: nobody can take out those of one that is deleted, and they keep clusters from being
-- deleted.
delete from placement p using account a where a.resource_name = p.resource_name and a.state = 'DELETED';
