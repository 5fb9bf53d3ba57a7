-- Milestones for what stands below a post, too: replies, quotes and reposts that everybody sees who sees the post.
create function publishing.post_moved_below() returns trigger language plpgsql as $$
begin
  delete from publishing.milestones
    where list = case when new.parent_id is not null then 'replies' when new.quote_of_id is not null then 'quotes'
        else 'reposts' end
      and owner = coalesce(new.parent_id, new.quote_of_id, new.repost_of_id)::text and id >= new.id;
  return null;
end $$;
create trigger post_moved_below after update of audience, deleted_at on publishing.posts
  for each row when (new.type <> 'post' and (old.audience <> new.audience or old.deleted_at is distinct from new.deleted_at))
  execute function publishing.post_moved_below();
