create or replace function inventory.add_category_event(p_category inventory.categories, p_type text) returns void
language sql as $$
  select inventory.add_event(p_category.tenant_id, p_type, 'category/' || p_category.id,
    json_build_object('id', p_category.id, 'name', p_category.name, 'parent_id', p_category.parent_id,
      'product_count', (select count(*) from inventory.products p where p.tenant_id = p_category.tenant_id
        and p.category_id = p_category.id and p.deleted_at is null)))
$$;

-- Writes down what happened to a category. What is deleted is described before its products lose it.
create or replace function inventory.apply_category_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform inventory.add_category_event(old, 'category.deleted');
    return old;
  end if;
  perform inventory.add_category_event(new,
    case tg_op when 'INSERT' then 'category.created' else 'category.updated' end);
  return null;
end $$;
create or replace trigger category_created after insert on inventory.categories
  for each row execute function inventory.apply_category_change();
create or replace trigger category_updated after update of name, parent_id on inventory.categories
  for each row when ((old.name, old.parent_id) is distinct from (new.name, new.parent_id))
  execute function inventory.apply_category_change();
create or replace trigger category_deleted before delete on inventory.categories
  for each row execute function inventory.apply_category_change();
