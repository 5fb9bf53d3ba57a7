-- The epoch of the account that a sign-in belongs to: its refresh tokens end, as its access tokens do, when the
-- password changes.
alter table publishing.refresh_tokens add column epoch int;
update publishing.refresh_tokens r set epoch = u.token_epoch from publishing.users u where u.id = r.user_id;
alter table publishing.refresh_tokens alter column epoch set not null;
