-- Reset tokens of all services are in one table now, one for each account.
insert into platform.password_resets (service, account, hash, expires_at)
select distinct on (user_id) 'storage', user_id::text, hash, expires_at
from storage.password_resets order by user_id, expires_at desc;
drop table storage.password_resets;
