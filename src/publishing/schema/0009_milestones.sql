-- Where the 500th, 1,000th … entry of a long list is, counted from its oldest one, so that page 10,000 costs what
-- page 1 does. Made when somebody reads that deep. New entries come after all milestones; whatever goes, or comes
-- late, takes those above it away.
create table publishing.milestones (
  list text collate "C" not null,
  owner text collate "C" not null,
  id bigint not null,
  rank bigint not null,
  primary key (list, owner, rank)
);
create index milestones_id on publishing.milestones (list, owner, id);

create function publishing.post_left() returns trigger language plpgsql as $$
begin
  delete from publishing.milestones where list = 'posts' and owner = new.author_id::text and id >= new.id;
  return null;
end $$;
create trigger post_left after update of deleted_at on publishing.posts
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function publishing.post_left();

create function publishing.tags_moved() returns trigger language plpgsql as $$
begin
  delete from publishing.milestones m using moved
    where m.list = 'tag' and m.owner = moved.tag and m.id >= moved.post_id;
  return null;
end $$;
create trigger tags_came after insert on publishing.post_tags
  referencing new table as moved for each statement execute function publishing.tags_moved();
create trigger tags_went after delete on publishing.post_tags
  referencing old table as moved for each statement execute function publishing.tags_moved();

create function publishing.likes_moved() returns trigger language plpgsql as $$
begin
  delete from publishing.milestones m using (select post_id::text as owner, min(id) as id from moved group by 1) first
    where m.list = 'likes' and m.owner = first.owner and m.id >= first.id;
  return null;
end $$;
-- A column list cannot be given here; likes are changed in nothing but whether they count.
create trigger likes_changed after update on publishing.likes
  referencing new table as moved for each statement execute function publishing.likes_moved();
create trigger likes_went after delete on publishing.likes
  referencing old table as moved for each statement execute function publishing.likes_moved();

create function publishing.follows_moved() returns trigger language plpgsql as $$
begin
  delete from publishing.milestones m using (
      select 'followers' as list, followee_id::text as owner, min(id) as id from moved group by 2
      union all select 'following', follower_id::text, min(id) from moved group by 2
    ) first where m.list = first.list and m.owner = first.owner and m.id >= first.id;
  return null;
end $$;
create trigger follows_changed after update on publishing.follows
  referencing new table as moved for each statement execute function publishing.follows_moved();
create trigger follows_went after delete on publishing.follows
  referencing old table as moved for each statement execute function publishing.follows_moved();
