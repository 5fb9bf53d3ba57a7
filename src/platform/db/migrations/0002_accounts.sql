-- What was tried lately for each account of a service: wrong passwords and codes, and mails. An account is the hash
-- of its address, whether or not anybody has it. Rows go once nothing in them counts any more.
create table platform.attempts (
  name text not null,
  account bytea not null,
  times timestamptz(3)[] not null,
  expires_at timestamptz(3) not null,
  primary key (name, account)
) with (fillfactor = 80);
create index attempts_expires_at on platform.attempts (expires_at);

-- The one link with which an account can choose a new password, by the hash of its token.
create table platform.password_resets (
  service text not null,
  account text not null,
  hash bytea not null,
  expires_at timestamptz(3) not null,
  primary key (service, account)
);
create unique index password_resets_hash_key on platform.password_resets (hash);
create index password_resets_expires_at on platform.password_resets (expires_at);
