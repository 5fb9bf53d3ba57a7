-- What must not be done while something else is going on. A lease lapses by itself if its holder dies.
create table platform.leases (
  name text primary key,
  until timestamptz not null
);
insert into platform.leases (name, until) values ('backup', '-infinity');

-- Which secret sealed and signed what is stored here, without giving it away.
create table platform.installation (
  only_one boolean primary key default true check (only_one),
  secret_fingerprint text not null
);
