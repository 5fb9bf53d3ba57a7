-- Requests with API keys that failed, to be listed and counted without those that did not.
create index api_usage_failed on inventory.api_usage (tenant_id, id) include (api_key_id) where status_code >= 400;
