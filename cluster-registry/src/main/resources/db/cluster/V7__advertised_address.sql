-- Where clients reach the processes of a cluster, through a load balancer: host:port, or a host alone for each at its own port; null:
-- each at its own address.
alter table cluster add column advertised_address text;
