-- A folder's endpoint is a URL: a space in its path is %20. So far it was the path as it is behind file://, which is no URL if
-- there is a space, a percent sign or a letter beyond ASCII in it.
update replica set endpoint = 'file://' || (
    select string_agg(
        case when byte < 128 and chr(byte) collate "C" ~ '[-A-Za-z0-9/._~!$&''()*+,;=:@]' then chr(byte)
            else '%' || upper(lpad(to_hex(byte), 2, '0')) end, '' order by at)
    from (
        select at, get_byte(convert_to(substr(endpoint, 8), 'UTF8'), at) as byte
        from generate_series(0, length(convert_to(substr(endpoint, 8), 'UTF8')) - 1) as at) as bytes)
where endpoint like 'file://_%' and substr(endpoint, 8) collate "C" !~ '^[-A-Za-z0-9/._~!$&''()*+,;=:@]*$';
