-- A key made with a key descends from it: what a policy says of the one holds for the other, and both are revoked
-- together. Both belong to the same person. Of keys that are older than this nobody knows what made them.
alter table storage.api_keys
  add parent_id uuid,
  add constraint api_keys_of_person unique (org_id, user_id, id),
  add foreign key (org_id, user_id, parent_id) references storage.api_keys (org_id, user_id, id) on delete cascade;
create index api_keys_children on storage.api_keys (org_id, user_id, parent_id) where parent_id is not null;
