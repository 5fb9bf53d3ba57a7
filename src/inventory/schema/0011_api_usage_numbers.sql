-- Log entries are counted, by tenant and by key, without gaps: a page is a range of numbers, however deep it lies.
-- The oldest are forgotten from the front, so that what is kept stays a run.
alter table inventory.numbers drop constraint numbers_kind_check,
  add constraint numbers_kind_check check (kind in ('product', 'order', 'purchase_order', 'api_use'));

alter table inventory.api_usage add column number bigint, add column key_number bigint;
update inventory.api_usage u set number = n.number, key_number = n.key_number
from (select tenant_id, id, row_number() over (partition by tenant_id order by id) as number,
    row_number() over (partition by tenant_id, api_key_id order by id) as key_number
  from inventory.api_usage) n
where u.tenant_id = n.tenant_id and u.id = n.id;
alter table inventory.api_usage alter column number set not null, alter column key_number set not null;
create unique index api_usage_numbers on inventory.api_usage (tenant_id, number);
create unique index api_usage_of_key on inventory.api_usage (tenant_id, api_key_id, key_number);

insert into inventory.numbers (tenant_id, kind, last)
select tenant_id, 'api_use', max(number) from inventory.api_usage group by 1;
