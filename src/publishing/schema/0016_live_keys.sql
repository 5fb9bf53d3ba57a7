-- Finds the few live keys of an account among however many it has revoked.
create index api_keys_live on publishing.api_keys (user_id, id) where revoked_at is null;
