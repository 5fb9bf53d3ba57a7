-- Who created a webhook, directed it elsewhere or switched it on last, where its owner has several people, and their name then.
-- It stops when that person may no longer manage webhooks.
alter table platform.webhooks add column created_by text, add column created_by_name text;
create index webhooks_of_person on platform.webhooks (service, owner, created_by) where is_active;
