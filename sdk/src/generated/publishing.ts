// Generated from docs/openapi/publishing.json by `npm run openapi`.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check health
         * @description Returns 200 while the process is running. Use it to decide whether to restart the process.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Returns 200 when the database responds and the process is not stopping, and 503 otherwise. Use it to decide whether to send requests here.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset
         * @description Sends a mail with a link for choosing a new password. The response is the same whether or not the address is registered. An account receives at most 3 such mails an hour. Where the server sends no mail, the message says who has the link.
         */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a password
         * @description Sets a new password with the token from the reset mail. A token works once, within an hour; an invalid, expired or used one is refused. Every session of the account ends.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your password
         * @description Sets a new password after checking the current one. Every other session ends; the response has new tokens, with which this one continues.
         */
        patch: operations["changePassword"];
        trace?: never;
    };
    "/api/users/me/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your email address
         * @description Sends a link to the new address after checking the password, and a notice to the old one. The address changes when the link is opened, which works once, within an hour. A server that sends no mail changes it at once. An address that is in use is refused with 409. An address receives at most 3 such mails an hour, together with those for passwords.
         */
        patch: operations["changeEmail"];
        trace?: never;
    };
    "/api/auth/confirm-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a new email address
         * @description Gives an account its new address, with the token that was mailed to it. A token works once, within an hour; an invalid, expired or used one is refused. Sessions go on.
         */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your profile
         * @description Returns the profile of the account that the token belongs to, with its counts of followers, accounts followed and posts, and the address of the account, which nobody else is shown.
         */
        get: operations["getOwnProfile"];
        put?: never;
        post?: never;
        /**
         * Delete your account
         * @description Deletes the account and everything in it: posts, likes, reposts, follows and API keys. It needs the password and cannot be undone. Replies and quotes that others wrote stay.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        /**
         * Update your profile
         * @description Changes the fields that are given and leaves the others as they are; null clears an optional one. With `is_protected` set, only followers whom you approve see your posts. `notification_mails` is refused with 422 on a server that sends no mail. At most 300 changes a minute for each account.
         */
        patch: operations["changeProfile"];
        trace?: never;
    };
    "/api/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account
         * @description Creates an account and signs in to it: the response has an access token and a refresh token. Handles have 3 to 30 letters, digits or underscores and are unique ignoring case; one that is taken, like a taken email, is refused with 409, and a reserved one with 422. At most 10 requests a minute from one address.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description Exchanges an email and password for an access token, which is valid for 15 minutes, and a refresh token, which is valid for 30 days. A suspended account is refused with 403. After 5 failures within 15 minutes the account is locked for a while; an address may try 10 times a minute.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh tokens
         * @description Exchanges a refresh token for a new access token and a new refresh token. Each refresh token works once: using an old one again ends the whole session, because it may have been stolen. Up to 60 times a minute from one address, together with logging out.
         */
        post: operations["refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends the session that the refresh token belongs to; its access token is refused from the next request on. Up to 60 times a minute from one address, together with refreshing.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Returns where you are signed in: browsers on the pages, and programs with tokens. The session that was used last comes first; there are at most 100. API keys are listed by `listKeys`.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all other sessions
         * @description Ends every session but the one that this request belongs to. API keys stay valid.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Ends a session: its cookie or its tokens are refused with 401 from the next request on. It may be the one that this request belongs to.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export your account
         * @description Returns everything that the account has here as one JSON document: profile and settings, posts with their earlier texts, likes, follows, blocks, mutes, and API keys without their secrets. It is read while it is sent, so what changes meanwhile may be in it or not. At most 5 an hour.
         */
        get: operations["exportAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{handle}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a profile
         * @description Returns the public profile of an account. Protected accounts have a public profile too; a suspended account returns 403. At most 500 public reads from one address in 15 minutes.
         */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload your avatar
         * @description Stores the picture that is shown beside your posts, in place of the one before. JPEG, PNG, WebP, GIF (its first frame) or AVIF of at most 2 MiB and 25 megapixels (AVIF: 12). It is cropped to fit and encoded anew as WebP in two sizes, 400×400 and 96×96, so that nothing of its metadata is kept. `avatar_url` becomes the public address of the large one; the small one is at the same address with `-96` instead of `-400`. At most 300 changes a minute for each account.
         */
        put: operations["uploadAvatar"];
        post?: never;
        /**
         * Remove your avatar
         * @description Removes the picture that is shown beside your posts, uploaded or not. Its bytes are deleted at once, or after a running backup.
         */
        delete: operations["removeAvatar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/banner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload your banner
         * @description Stores the picture that is shown at the top of your profile, in place of the one before. JPEG, PNG, WebP, GIF (its first frame) or AVIF of at most 2 MiB and 25 megapixels (AVIF: 12). It is cropped to fit and encoded anew as WebP in two sizes, 1500×500 and 600×200, so that nothing of its metadata is kept. `banner_url` becomes the public address of the large one; the small one is at the same address with `-600` instead of `-1500`. At most 300 changes a minute for each account.
         */
        put: operations["uploadBanner"];
        post?: never;
        /**
         * Remove your banner
         * @description Removes the picture that is shown at the top of your profile, uploaded or not. Its bytes are deleted at once, or after a running backup.
         */
        delete: operations["removeBanner"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a picture
         * @description Returns an uploaded avatar or banner, for as long as its account shows it and is not suspended. The address changes with the content, so a copy may be kept for ever. Not rate-limited.
         */
        get: operations["getPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a post
         * @description Publishes a post, a reply (with `parentId`) or a quote (with `quoteOfId`) of 1 to 280 characters. Use a bearer token or an API key. An account may publish 30 posts in any 60 seconds, and a key as many a day as its `daily_post_limit` allows; beyond that the response is 429, and refused posts are not counted. A reply that the reply settings of the thread or a block do not allow is refused with 403.
         */
        post: operations["createPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a post
         * @description Returns a post with its author, its counts, and the post that it quotes or repeats. Posts of protected accounts return 404 except to their owner and approved followers. With a bearer token, `viewer` says whether you liked or reposted it.
         */
        get: operations["getPost"];
        put?: never;
        post?: never;
        /**
         * Delete a post
         * @description Deletes your own post for good; afterwards it returns 404. Replies to it stay, reposts of it vanish, and quotes of it show `quoted_post: null`.
         */
        delete: operations["deletePost"];
        options?: never;
        head?: never;
        /**
         * Edit a post
         * @description Changes the text of your own post and sets `edited_at`. What it said before stays visible in its history. Hashtags and mentions follow the new text.
         */
        patch: operations["editPost"];
        trace?: never;
    };
    "/api/posts/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List revisions of a post
         * @description Returns every text that a post has had, oldest first, with the time of each. Whoever may see the post may see its history.
         */
        get: operations["getPostHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{handle}/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List posts of an account
         * @description Returns the posts of an account, newest first; `type` selects posts, reposts, quotes or replies, and without it all are returned. For a protected account this is refused with 403 except for its owner and approved followers.
         */
        get: operations["listUserPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/{id}/like": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Like a post
         * @description Adds your like to a post and returns its new count. Liking it again changes nothing. Between accounts of which one has blocked the other it is refused with 403.
         */
        post: operations["likePost"];
        /**
         * Remove a like
         * @description Removes your like from a post and returns its new count. Without a like nothing changes.
         */
        delete: operations["unlikePost"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/{id}/repost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repost a post
         * @description Shares a post with your followers as a post of type `repost`. Reposting it again returns 200 with the same repost. Posts of protected accounts, and posts between accounts of which one has blocked the other, cannot be reposted (403).
         */
        post: operations["repost"];
        /**
         * Remove a repost
         * @description Removes your repost of a post. Without a repost nothing changes.
         */
        delete: operations["unrepost"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/{id}/likes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List likes of a post
         * @description Returns the profiles of those who like a post, by pages of 20 unless `limit` says otherwise.
         */
        get: operations["listLikes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/{id}/reposts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reposts of a post
         * @description Returns the profiles of those who reposted a post, by pages of 20 unless `limit` says otherwise.
         */
        get: operations["listReposts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/{id}/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List replies to a post
         * @description Returns the direct replies to a post, oldest first. Replies to those replies are listed under each of them.
         */
        get: operations["listReplies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/{id}/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List quotes of a post
         * @description Returns the posts that quote a post, newest first. Only quotes that you may see are listed.
         */
        get: operations["listQuotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{handle}/follow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Follow an account
         * @description Follows an account, or asks to follow it if it is protected: `status` is then `requested`. Following again changes nothing. Following yourself is refused with 422, and a block between the two with 403.
         */
        post: operations["follow"];
        /**
         * Unfollow an account
         * @description Stops following an account, or withdraws a request to follow it. Without either nothing changes.
         */
        delete: operations["unfollow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{handle}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Block an account
         * @description Blocks an account: follows end both ways, and neither can follow, like, repost, quote or reply to the other. Blocking again changes nothing.
         */
        post: operations["block"];
        /**
         * Unblock an account
         * @description Ends a block. Follows that the block ended do not come back by themselves.
         */
        delete: operations["unblock"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{handle}/mute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mute an account
         * @description Hides an account's posts and reposts from your home timeline, and what it does from your notifications. The other account does not learn of it.
         */
        post: operations["mute"];
        /**
         * Unmute an account
         * @description Shows a muted account in your home timeline and your notifications again. Without a mute nothing changes.
         */
        delete: operations["unmute"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follow-requests/{handle}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a follow request
         * @description Lets an account that asked for it follow you. An account without a request returns 404.
         */
        post: operations["acceptFollowRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follow-requests/{handle}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a follow request
         * @description Rejects an account's request to follow you. It may ask again. An account without a request returns 404.
         */
        post: operations["rejectFollowRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{handle}/followers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List followers
         * @description Returns the profiles of the accounts that follow an account, by pages of 20 unless `limit` says otherwise.
         */
        get: operations["listFollowers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{handle}/following": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts followed
         * @description Returns the profiles of the accounts that an account follows, by pages of 20 unless `limit` says otherwise.
         */
        get: operations["listFollowing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follow-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List follow requests
         * @description Returns the accounts that wait for your approval to follow you. Only protected accounts receive requests.
         */
        get: operations["listFollowRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notifications
         * @description Returns what others did that concerns you, newest first: likes and reposts of your posts, replies and quotes, mentions, follows, and requests to follow. `post` is your own post if it was liked or reposted, and the new post if it replies to you, quotes or mentions you. What is undone disappears. Nothing is told of accounts that you mute or block, or that block you. Notifications that have been read are kept for 90 days.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/unread-count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count unread notifications
         * @description Returns how many notifications you have not read yet.
         */
        get: operations["countUnreadNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark notifications as read
         * @description Marks notifications as read: those with these `ids`, those `before` an id, or `all`. Exactly one of the three must be given. Ids of notifications that have disappeared are skipped; if none of them is yours, the response is 404.
         */
        post: operations["markNotificationsRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/timeline/explore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the explore timeline
         * @description Returns the public posts of all accounts, newest first. Pass `nextCursor` as `cursor` for the next page; it is null on the last one. Walking through the pages shows every post that existed at the start exactly once, also while others are being written.
         */
        get: operations["exploreTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/timeline/home": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the home timeline
         * @description Returns posts and reposts of the accounts that you follow, and your own, newest first. Muted accounts are left out. Pass `nextCursor` as `cursor` for the next page.
         */
        get: operations["homeTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/timeline/hashtag/{tag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a hashtag timeline
         * @description Returns public posts with a hashtag, newest first, page by page with a cursor. Hashtags are matched ignoring case. Prefer this to the numbered pages when new posts keep arriving.
         */
        get: operations["hashtagTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hashtags/{tag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List posts with a hashtag
         * @description Returns public posts with a hashtag, newest first, in numbered pages with a total. Hashtags are matched ignoring case.
         */
        get: operations["listHashtagPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search
         * @description Finds public posts, accounts or hashtags, newest first; `type` says which. Words match in any order, and parts of words match too; a leading `#` or `@` is dropped. At most 100 searches from one address in 15 minutes.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/developer/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Returns your keys, newest first: the active ones, and the newest 100 of those that were revoked. Only the first 12 characters of a key are shown.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates a key with which a script can post in your name; it is shown only in this response. `daily_post_limit` is 100 by default and at most 1000. An account can have 5 active keys; a sixth is refused with 422.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/developer/keys/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List key usage
         * @description Returns for each key how many posts it has made today and how many remain. Days begin at midnight UTC.
         */
        get: operations["listKeyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/developer/keys/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get usage of a key
         * @description Returns how many posts a key has made today and how many remain. Days begin at midnight UTC. Another account's key returns 404.
         */
        get: operations["getKeyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/developer/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Revokes a key, which is refused with 401 from the next request on. It stays listed with `is_active: false`. Revoking cannot be undone.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{handle}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend an account
         * @description Suspends an account: its tokens and keys are refused, and its posts vanish from everywhere. Only admins may do this. Nothing is deleted.
         */
        post: operations["suspendAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{handle}/unsuspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift a suspension
         * @description Ends a suspension: the account can log in again and its posts are back. Only admins may do this.
         */
        post: operations["unsuspendAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{handle}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an account
         * @description Marks an account as verified, which everybody sees in its profile. Only admins may do this.
         */
        post: operations["verifyAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{handle}/admin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an account an admin
         * @description Lets an account use the operations in this group. Only admins may do this.
         */
        post: operations["adminAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{handle}/feed.rss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an account's RSS 2.0 feed
         * @description Returns the newest posts of an account as RSS 2.0, 20 by default and at most 50. Replies and reposts are left out unless `include` names them. A link to the next page leads to older posts. `ETag` and `Last-Modified` allow conditional requests. The feed of a protected or suspended account is refused with 403.
         */
        get: operations["getUserFeedRss"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hashtags/{tag}/feed.rss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a hashtag's RSS 2.0 feed
         * @description Returns the newest public posts with a hashtag as RSS 2.0, 20 by default and at most 50. Hashtags are matched ignoring case. A link to the next page leads to older posts. `ETag` allows conditional requests.
         */
        get: operations["getHashtagFeedRss"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed.rss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the RSS 2.0 feed of all public posts
         * @description Returns the newest public posts of all accounts as RSS 2.0, 20 by default and at most 50. A link to the next page leads to older posts. `ETag` allows conditional requests.
         */
        get: operations["getExploreFeedRss"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/feed.rss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the RSS 2.0 feed of a search
         * @description Returns the newest public posts that match a search as RSS 2.0, 20 by default and at most 50. It counts towards the limit of searches. A link to the next page leads to older posts. `ETag` allows conditional requests.
         */
        get: operations["getSearchFeedRss"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{handle}/feed.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an account's Atom 1.0 feed
         * @description Returns the newest posts of an account as Atom 1.0, 20 by default and at most 50. Replies and reposts are left out unless `include` names them. A link to the next page leads to older posts. `ETag` and `Last-Modified` allow conditional requests. The feed of a protected or suspended account is refused with 403.
         */
        get: operations["getUserFeedAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hashtags/{tag}/feed.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a hashtag's Atom 1.0 feed
         * @description Returns the newest public posts with a hashtag as Atom 1.0, 20 by default and at most 50. Hashtags are matched ignoring case. A link to the next page leads to older posts. `ETag` allows conditional requests.
         */
        get: operations["getHashtagFeedAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the Atom 1.0 feed of all public posts
         * @description Returns the newest public posts of all accounts as Atom 1.0, 20 by default and at most 50. A link to the next page leads to older posts. `ETag` allows conditional requests.
         */
        get: operations["getExploreFeedAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/feed.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the Atom 1.0 feed of a search
         * @description Returns the newest public posts that match a search as Atom 1.0, 20 by default and at most 50. It counts towards the limit of searches. A link to the next page leads to older posts. `ETag` allows conditional requests.
         */
        get: operations["getSearchFeedAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{handle}/feed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an account's JSON Feed 1.1 feed
         * @description Returns the newest posts of an account as JSON Feed 1.1, 20 by default and at most 50. Replies and reposts are left out unless `include` names them. A link to the next page leads to older posts. `ETag` and `Last-Modified` allow conditional requests. The feed of a protected or suspended account is refused with 403.
         */
        get: operations["getUserFeedJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hashtags/{tag}/feed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a hashtag's JSON Feed 1.1 feed
         * @description Returns the newest public posts with a hashtag as JSON Feed 1.1, 20 by default and at most 50. Hashtags are matched ignoring case. A link to the next page leads to older posts. `ETag` allows conditional requests.
         */
        get: operations["getHashtagFeedJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the JSON Feed 1.1 feed of all public posts
         * @description Returns the newest public posts of all accounts as JSON Feed 1.1, 20 by default and at most 50. A link to the next page leads to older posts. `ETag` allows conditional requests.
         */
        get: operations["getExploreFeedJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/feed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the JSON Feed 1.1 feed of a search
         * @description Returns the newest public posts that match a search as JSON Feed 1.1, 20 by default and at most 50. It counts towards the limit of searches. A link to the next page leads to older posts. `ETag` allows conditional requests.
         */
        get: operations["getSearchFeedJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/feed.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the widget script
         * @description Returns the script that replaces its own tag with a feed in a sandboxed frame. Attributes of the tag: `data-user` (required), `data-theme` (`auto`, `dark`, `light`), `data-count` (1 to 20, 5 by default), and `data-width` (pixels or any CSS value). Several may be used on one page.
         */
        get: operations["getWidgetScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/embed/{handle}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the embedded page
         * @description Returns the page that the widget shows in its frame. It works without JavaScript and may be framed by any site. For an account that is unknown, protected or suspended it shows a note, with status 404 or 403.
         */
        get: operations["getEmbedPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oembed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get oEmbed data
         * @description Returns how to show a profile or a post on another site, as oEmbed 1.0. The `url` must be an address of a profile or a post on this site; any other returns 404. Only what everybody may see can be embedded: a protected profile returns 401, a suspended one 403.
         */
        get: operations["getOEmbed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the instance
         * @description Returns what the operator calls this server, and says about it.
         */
        get: operations["getInstance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Returns what happened, oldest first. `after` continues after an event; `next` is the id to continue with, also if nothing new is there yet. Events are kept 30 days by default: if some that you could have read after that id have been removed, the response is 410, and its `after` is where to continue. With `Accept: text/event-stream` the response is a stream of Server-Sent Events that stays open; `Last-Event-ID` or `after` continues one, and without them only new events are sent.
         *
         *     Types: `post.created`, `post.updated`, `post.deleted`, `post.liked`, `post.unliked`, `post.mentioned`, `user.followed`, `user.unfollowed`, `user.follow_requested`, `user.updated`, `user.deleted`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Returns all webhooks, oldest first, without their secrets.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Events of these types are sent to `url` from now on, signed by the Standard Webhooks specification with `secret`, which is shown only here. The address must be public and use https. At most 20.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Returns a webhook and whether it is on, without its secret.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Nothing more is sent to it, and its deliveries are removed.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Changes what is given. While a webhook is off nothing is queued for it; what it missed can be replayed. Switching it on continues with what was queued before.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret
         * @description Returns a new secret. For 24 hours deliveries carry signatures of both.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook
         * @description Sends an event of type `webhook.test` at once and returns what the receiver responded, at most 10 times a minute.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Returns what was or is to be sent to a webhook, newest first, for 30 days by default.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{deliveryId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery
         * @description Makes a delivery again, or at once if it waits for its next attempt.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay events
         * @description Sends the events after one, up to `until` if it is given, once more.
         */
        post: operations["replayEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "post.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An account that you follow published or reposted something */
        post: operations["onPostCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An account that you follow edited a post */
        post: operations["onPostUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An account that you follow deleted a post or took a repost back; it is shown as it was. You also receive it for a repost of yours whose original was deleted */
        post: operations["onPostDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.liked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Somebody liked a post of yours */
        post: operations["onPostLiked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.unliked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Somebody took a like of a post of yours back */
        post: operations["onPostUnliked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.mentioned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Somebody mentioned you in a post, or by editing one */
        post: operations["onPostMentioned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.followed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Somebody follows you, or you accepted their request to */
        post: operations["onUserFollowed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.unfollowed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Somebody no longer follows you, also because you blocked them */
        post: operations["onUserUnfollowed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.follow_requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Somebody asked to follow you */
        post: operations["onUserFollowRequested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An account that you follow changed its profile, or yours was verified or suspended, or no longer */
        post: operations["onUserUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An account that you followed was deleted; it is shown as it was */
        post: operations["onUserDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AccountDeletion: {
            /** Format: password */
            password: string;
        };
        AnsweredRequest: {
            /** @enum {string} */
            status: "accepted" | "rejected";
            /** @example harbourwatch */
            handle: string;
        };
        Author: {
            /** @example 42 */
            id: number;
            /** @example Harbour Watch */
            username: string;
            /** @example harbourwatch */
            handle: string;
            /** @example null */
            avatar_url: string | null;
            /** @example false */
            is_verified: boolean;
        };
        CreatedWebhook: {
            /**
             * Format: uuid
             * @example 019a8c1e-7d20-7b3a-9c4e-5f60718293a4
             */
            id: string;
            /** @example https://hooks.example.com/harbour */
            url: string;
            /**
             * @example [
             *       "post.*",
             *       "user.followed"
             *     ]
             */
            types: string[];
            /** @example Rings the bell of the harbour office */
            description: string | null;
            /** @example true */
            is_active: boolean;
            /**
             * @description Why the server switched it off
             * @example null
             */
            switched_off: string | null;
            /** @description Who created it, or has changed its address or switched it on since. It stops when they may no longer manage webhooks; somebody else takes it over by switching it on. Null where an account has one person. */
            created_by: {
                /** @example 7 */
                id: string;
                /** @example weather bot */
                name: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Verifies signatures; shown only here
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazoNZ8HEwTg=
             */
            secret: string;
        };
        Decision: {
            /** @example harbourwatch */
            handle: string;
            is_suspended?: boolean;
            /** @example false */
            is_verified?: boolean;
            is_admin?: boolean;
        };
        Delivery: {
            /**
             * Format: uuid
             * @example 019a8c1e-7d20-7b3a-9c4e-5f60718293a4
             */
            id: string;
            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
            event_id: string;
            /** @example post.liked */
            type: string;
            /** @example 1 */
            attempts: number;
            /** @enum {string} */
            status: "pending" | "succeeded" | "dead";
            /** @example 200 */
            response_status: number | null;
            /** @example 48 */
            response_time_ms: number | null;
            /**
             * @description Its first 1 KiB
             * @example ok
             */
            response_body: string | null;
            /**
             * @description Why it did not succeed
             * @example null
             */
            error: string | null;
            /**
             * Format: date-time
             * @example null
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        DeliveryAccepted: {
            /**
             * Format: uuid
             * @example 019a8c1e-7d20-7b3a-9c4e-5f60718293a4
             */
            id: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "dead";
        };
        EmailChange: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** Format: password */
            password: string;
        };
        EmailConfirmation: {
            /**
             * @description From the mail; good once, within one hour
             * @example k3J9xQ2vTn8LrW5mZb7HcY4s
             */
            token: string;
        };
        EmbeddedPost: {
            /** @example 9007 */
            id: number;
            /**
             * @description Markdown, up to 280 characters
             * @example Low tide at **noon**, and the seals are back #tides
             */
            content: string;
            /**
             * @description Safe to show as it is
             * @example Low tide at <strong>noon</strong>, and the seals are back <a href="/tags/tides" rel="tag">#tides</a>
             */
            content_html: string;
            /**
             * @description In which its author writes, as in `pt-BR`
             * @example en
             */
            language: string;
            /** @enum {string} */
            type: "post" | "repost" | "quote" | "reply";
            /** @example https://social.example.com/@harbourwatch/9007 */
            url: string;
            author: components["schemas"]["Author"];
            /** @example null */
            parent_id: number | null;
            /** @example null */
            root_id: number | null;
            /** @example null */
            quote_of_id: number | null;
            /** @example null */
            repost_of_id: number | null;
            /**
             * @description Who may reply; of a reply, what its thread says counts
             * @enum {string}
             */
            reply_settings: "everyone" | "following" | "mentioned";
            /** @example 24 */
            like_count: number;
            /** @example 3 */
            repost_count: number;
            /** @example 1 */
            quote_count: number;
            /** @example 5 */
            reply_count: number;
            /**
             * @description Lower case, without #
             * @example [
             *       "tides"
             *     ]
             */
            hashtags: string[];
            /**
             * @description Handles of existing accounts
             * @example []
             */
            mentions: string[];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @example null
             */
            edited_at: string | null;
        } | null;
        Error: {
            /** @constant */
            success: false;
            /**
             * @description For people.
             * @example User not found
             */
            message: string;
            /**
             * @description For programs.
             * @example not_found
             */
            code: string;
            /**
             * @description The same as the header `X-Request-Id`.
             * @example 01JPA3V7KQ8ZC5T4
             */
            request_id: string;
            /** @description What is wrong with which field of the input. */
            errors?: {
                field: string;
                /** @example User not found */
                message: string;
            }[];
        };
        Event: {
            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
            id: string;
            /** @example post.liked */
            type: string;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Kind and id of what it is about
             * @example post/9007
             */
            subject: string;
            /**
             * @description The resource as it was then; see the webhooks of this reference for each type
             * @example {
             *       "id": 9007,
             *       "like_count": 24,
             *       "user": {
             *         "id": 58,
             *         "username": "Seal Count",
             *         "handle": "sealcount",
             *         "avatar_url": null,
             *         "is_verified": false
             *       }
             *     }
             */
            data: {
                [key: string]: unknown;
            };
        };
        Export: {
            /** Format: date-time */
            exported_at: string;
            profile: components["schemas"]["OwnProfile"];
            /** @description Reposts, replies and quotes among them; those that were deleted are gone */
            posts: components["schemas"]["ExportedPost"][];
            likes: {
                /**
                 * @description Of the post
                 * @example 9007
                 */
                id: number;
                /**
                 * @description Of its author
                 * @example harbourwatch
                 */
                handle: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            following: {
                /** @example 9007 */
                id: number;
                /** @example harbourwatch */
                handle: string;
                is_accepted: boolean;
                /** Format: date-time */
                created_at: string;
            }[];
            followers: {
                /** @example 9007 */
                id: number;
                /** @example harbourwatch */
                handle: string;
                /** Format: date-time */
                created_at: string;
            }[];
            blocked: {
                /** @example 9007 */
                id: number;
                /** @example harbourwatch */
                handle: string;
            }[];
            muted: {
                /** @example 9007 */
                id: number;
                /** @example harbourwatch */
                handle: string;
            }[];
            keys: {
                /** @example 9007 */
                id: number;
                /** @example weather bot */
                name: string;
                /** @example f9k_4TqZ8mW1 */
                key_prefix: string;
                /** @example 100 */
                daily_post_limit: number;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                last_used_at: string | null;
                /** Format: date-time */
                revoked_at: string | null;
            }[];
        };
        ExportedPost: {
            /** @example 9007 */
            id: number;
            /**
             * @description Markdown, up to 280 characters
             * @example Low tide at **noon**, and the seals are back #tides
             */
            content: string;
            /** @enum {string} */
            type: "post" | "repost" | "quote" | "reply";
            /** @example null */
            parent_id: number | null;
            /** @example null */
            quote_of_id: number | null;
            /** @example null */
            repost_of_id: number | null;
            /**
             * @description Who may reply; of a reply, what its thread says counts
             * @enum {string}
             */
            reply_settings: "everyone" | "following" | "mentioned";
            /** @example 24 */
            like_count: number;
            /** @example 3 */
            repost_count: number;
            /** @example 1 */
            quote_count: number;
            /** @example 5 */
            reply_count: number;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @example null
             */
            edited_at: string | null;
            /** @description The earlier texts, oldest first */
            versions: {
                /**
                 * @description Markdown, up to 280 characters
                 * @example Low tide at **noon**, and the seals are back #tides
                 */
                content: string;
                /** Format: date-time */
                created_at: string;
            }[];
        };
        Follow: {
            /** @enum {string} */
            status: "following" | "requested" | "none";
            /** @example harbourwatch */
            handle: string;
        };
        FollowOfAccount: {
            user: components["schemas"]["Author"];
        };
        Hashtag: {
            /** @example tides */
            tag: string;
            /** @example 87 */
            post_count: number;
        };
        Instance: {
            /** @example Harbour Notes */
            name: string;
            /** @example Notes from the harbour. */
            description: string;
            /**
             * @description Of what people write here, as in `pt-BR`
             * @example en
             */
            language: string;
            /** @example #0f766e */
            color: string | null;
            /**
             * @description A `mailto:` or https address
             * @example mailto:hello@example.com
             */
            contact: string | null;
            /** @example https://social.example.com/logo/9fQ2xTnLrW5m.png */
            logo_url: string | null;
            /**
             * @description Rules, privacy policy and imprint, as far as there are any
             * @example [
             *       {
             *         "title": "Imprint",
             *         "url": "https://social.example.com/imprint"
             *       }
             *     ]
             */
            pages: {
                /** @example Harbour Watch */
                title: string;
                /** @example https://social.example.com/@harbourwatch/9007 */
                url: string;
            }[];
        };
        Key: {
            /** @example 7 */
            id: number;
            /** @example weather bot */
            name: string;
            /** @example f9k_4TqZ8mW1 */
            key_prefix: string;
            /** @example 100 */
            daily_post_limit: number;
            /**
             * @description Starts again at midnight UTC
             * @example 12
             */
            posts_today: number;
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
        };
        KeyCreated: {
            /** @example 7 */
            id: number;
            /**
             * @description The whole key, shown only now
             * @example f9k_4TqZ8mW1xC7vB3nK6jH9sD2f
             */
            key: string;
            /** @example f9k_4TqZ8mW1 */
            prefix: string;
            /** @example weather bot */
            name: string;
            /** @example 100 */
            dailyPostLimit: number;
        };
        KeyUsage: {
            /** @example 7 */
            id: number;
            /** @example weather bot */
            name: string;
            /** @example f9k_4TqZ8mW1 */
            key_prefix: string;
            /** @example 100 */
            daily_post_limit: number;
            /**
             * @description Starts again at midnight UTC
             * @example 12
             */
            posts_today: number;
            /** @example 88 */
            postsRemainingToday: number;
            /** Format: date-time */
            last_used_at: string | null;
        };
        Login: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** Format: password */
            password: string;
        };
        Message: {
            /** @example Done */
            message: string;
        };
        Meta: {
            /** @example 1204 */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            /** @example 61 */
            totalPages: number;
            hasNext: boolean;
            /** @example false */
            hasPrev: boolean;
        };
        NewKey: {
            /** @example weather bot */
            name: string;
            /** @default 100 */
            daily_post_limit?: number;
        };
        NewPost: {
            /**
             * @description Up to 280 characters; Markdown, hashtags and mentions allowed
             * @example Low tide at **noon**, and the seals are back #tides
             */
            content: string;
            /**
             * @default post
             * @enum {string}
             */
            type?: "post" | "reply" | "quote";
            parentId?: number | null;
            quoteOfId?: number | null;
            /**
             * @default everyone
             * @enum {string}
             */
            replySettings?: "everyone" | "following" | "mentioned";
        };
        NewWebhook: {
            /** @example https://hooks.example.com/harbour */
            url: string;
            /**
             * @example [
             *       "post.*",
             *       "user.followed"
             *     ]
             */
            types?: string[];
            /** @example Rings the bell of the harbour office */
            description?: string | null;
        };
        Notification: {
            /** @example 51300 */
            id: number;
            /**
             * @description `follow_request` waits for your answer; `follow_accepted` tells that your own request was accepted
             * @example like
             * @enum {string}
             */
            type: "like" | "repost" | "reply" | "quote" | "mention" | "follow" | "follow_request" | "follow_accepted";
            /** @example false */
            is_read: boolean;
            /** Format: date-time */
            created_at: string;
            actor: components["schemas"]["Author"];
            post: components["schemas"]["Post"] | null;
        };
        NotificationMeta: {
            /** @example 1204 */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            limit: number;
            /** @example 61 */
            totalPages: number;
            hasNext: boolean;
            /** @example false */
            hasPrev: boolean;
            /**
             * @description Of all types
             * @example 3
             */
            unread_count: number;
        };
        OEmbed: {
            /** @enum {string} */
            version: "1.0";
            /** @enum {string} */
            type: "rich";
            /** @example Trivet */
            provider_name: string;
            /** @example https://social.example.com */
            provider_url: string;
            /** @example Harbour Watch */
            author_name: string;
            /** @example https://social.example.com/@harbourwatch */
            author_url: string;
            /** @example Harbour Watch */
            title: string;
            /** @example <iframe src="https://social.example.com/widget/embed/harbourwatch" width="550" height="400"></iframe> */
            html: string;
            /** @example 550 */
            width: number;
            /** @example 400 */
            height: number;
            /** @example 300 */
            cache_age: number;
        };
        OwnEmail: {
            /** @example ada@example.com */
            email: string;
            /**
             * @description The new address, until the link that was mailed to it is opened
             * @example null
             */
            unconfirmed_email: string | null;
        };
        OwnProfile: {
            /** @example 9007 */
            id: number;
            /**
             * @description The display name
             * @example Harbour Watch
             */
            username: string;
            /**
             * @description Unique, without @
             * @example harbourwatch
             */
            handle: string;
            /** @example Tides, seals and weather from the north pier. */
            bio: string | null;
            /** @example null */
            avatar_url: string | null;
            /** @example null */
            banner_url: string | null;
            /** @example Whitby */
            location: string | null;
            /** @example https://harbour.example.com/ */
            website: string | null;
            /**
             * @description In which the account writes, as in `pt-BR`; null: that of the instance
             * @example en
             */
            language: string | null;
            /** @example false */
            is_verified: boolean;
            /** @example false */
            is_protected: boolean;
            /** @example 318 */
            follower_count: number;
            /** @example 57 */
            following_count: number;
            post_count: number;
            /** Format: date-time */
            created_at: string;
            /** @example ada@example.com */
            email: string;
            /**
             * @description The new address, until the link that was mailed to it is opened
             * @example null
             */
            unconfirmed_email: string | null;
            /**
             * @description Whether a mail once a day tells of unread notifications; `none` at first
             * @example none
             * @enum {string}
             */
            notification_mails: "none" | "daily";
        };
        PasswordChange: {
            /** Format: password */
            current_password: string;
            /** Format: password */
            new_password: string;
            /** @description Whether your API keys end too; they stay unless it is true */
            revoke_keys?: boolean;
        };
        PasswordReset: {
            /**
             * @description From the mail; good once, within one hour
             * @example k3J9xQ2vTn8LrW5mZb7HcY4s
             */
            token: string;
            /** Format: password */
            password: string;
            /** @description Whether your API keys end too; they stay unless it is true */
            revoke_keys?: boolean;
        };
        PasswordResetRequest: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
        };
        Post: {
            /** @example 9007 */
            id: number;
            /**
             * @description Markdown, up to 280 characters
             * @example Low tide at **noon**, and the seals are back #tides
             */
            content: string;
            /**
             * @description Safe to show as it is
             * @example Low tide at <strong>noon</strong>, and the seals are back <a href="/tags/tides" rel="tag">#tides</a>
             */
            content_html: string;
            /**
             * @description In which its author writes, as in `pt-BR`
             * @example en
             */
            language: string;
            /** @enum {string} */
            type: "post" | "repost" | "quote" | "reply";
            /** @example https://social.example.com/@harbourwatch/9007 */
            url: string;
            author: components["schemas"]["Author"];
            /** @example null */
            parent_id: number | null;
            /** @example null */
            root_id: number | null;
            /** @example null */
            quote_of_id: number | null;
            /** @example null */
            repost_of_id: number | null;
            /**
             * @description Who may reply; of a reply, what its thread says counts
             * @enum {string}
             */
            reply_settings: "everyone" | "following" | "mentioned";
            /** @example 24 */
            like_count: number;
            /** @example 3 */
            repost_count: number;
            /** @example 1 */
            quote_count: number;
            /** @example 5 */
            reply_count: number;
            /**
             * @description Lower case, without #
             * @example [
             *       "tides"
             *     ]
             */
            hashtags: string[];
            /**
             * @description Handles of existing accounts
             * @example []
             */
            mentions: string[];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @example null
             */
            edited_at: string | null;
            quoted_post: components["schemas"]["EmbeddedPost"];
            reposted_post: components["schemas"]["EmbeddedPost"];
            /** @description Only with a bearer token */
            viewer?: {
                liked: boolean;
                reposted: boolean;
            };
        };
        PostChange: {
            /** @example Low tide at **noon**, and the seals are back #tides */
            content: string;
        };
        PostLike: {
            /** @example 9007 */
            id: number;
            /**
             * @description After it
             * @example 24
             */
            like_count: number;
            user: components["schemas"]["Author"];
        };
        PostVersion: {
            /** @example Low tide at **noon**, and the seals are back #tides */
            content: string;
            /** Format: date-time */
            created_at: string;
        };
        Profile: {
            /** @example 42 */
            id: number;
            /**
             * @description The display name
             * @example Harbour Watch
             */
            username: string;
            /**
             * @description Unique, without @
             * @example harbourwatch
             */
            handle: string;
            /** @example Tides, seals and weather from the north pier. */
            bio: string | null;
            /** @example null */
            avatar_url: string | null;
            /** @example null */
            banner_url: string | null;
            /** @example Whitby */
            location: string | null;
            /** @example https://harbour.example.com/ */
            website: string | null;
            /**
             * @description In which the account writes, as in `pt-BR`; null: that of the instance
             * @example en
             */
            language: string | null;
            /** @example false */
            is_verified: boolean;
            /** @example false */
            is_protected: boolean;
            /** @example 318 */
            follower_count: number;
            /** @example 57 */
            following_count: number;
            /** @example 1204 */
            post_count: number;
            /** Format: date-time */
            created_at: string;
        };
        ProfileChange: {
            /** @example Harbour Watch */
            username?: string;
            /** @example Tides, seals and weather from the north pier. */
            bio?: string | null;
            /** @example Whitby */
            location?: string | null;
            /** Format: uri */
            website?: string | null;
            /**
             * @description A language tag, such as `de` or `pt-BR` (BCP 47)
             * @example en
             */
            language?: string | null;
            /** Format: uri */
            avatar_url?: string | null;
            /** Format: uri */
            banner_url?: string | null;
            is_protected?: boolean;
            /**
             * @description Whether a mail once a day tells of unread notifications; `none` at first
             * @enum {string}
             */
            notification_mails?: "none" | "daily";
        };
        ReadMark: {
            /**
             * @description These notifications
             * @example [
             *       51300,
             *       51298
             *     ]
             */
            ids?: number[];
            /** @description All notifications with a lower id */
            before?: number;
            /**
             * @description All notifications
             * @enum {boolean}
             */
            all?: true;
        };
        Refresh: {
            /** @example r1_V9tK2xQ7mZ4nB8sL3wC6yH5 */
            refreshToken: string;
        };
        Registration: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** Format: password */
            password: string;
            /** @example harbourwatch */
            handle: string;
            /** @example Harbour Watch */
            username: string;
        };
        Replay: {
            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
            after: string;
            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
            until?: string;
            /**
             * @example [
             *       "post.*"
             *     ]
             */
            types?: string[];
        };
        Replayed: {
            /** @example 3 */
            replayed: number;
        };
        RotatedSecret: {
            /**
             * @description For 24 hours deliveries carry signatures of this one and the one before
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazoNZ8HEwTg=
             */
            secret: string;
        };
        Session: {
            /** @example 311 */
            id: number;
            /**
             * @description Whether it began on the pages, with a cookie, or through the API, with tokens
             * @example browser
             * @enum {string}
             */
            kind: "browser" | "program";
            /**
             * @description The browser and the system, or the program, as it called itself at sign-in
             * @example Firefox on Linux
             */
            device: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description To within a few minutes
             */
            last_used_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Whether this request belongs to it */
            is_current: boolean;
        };
        SignedIn: {
            user: components["schemas"]["Profile"];
            /**
             * @description For the header `Authorization: Bearer`
             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.dGhlLXNpZ25hdHVyZQ
             */
            accessToken: string;
            /**
             * @description Works once, for 30 days
             * @example r1_V9tK2xQ7mZ4nB8sL3wC6yH5
             */
            refreshToken: string;
            /**
             * @description Seconds until the access token ends
             * @example 900
             */
            expiresIn: number;
        };
        Status: {
            /** @example ok */
            status: string;
        };
        Tokens: {
            /**
             * @description For the header `Authorization: Bearer`
             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.dGhlLXNpZ25hdHVyZQ
             */
            accessToken: string;
            /**
             * @description Works once, for 30 days
             * @example r1_V9tK2xQ7mZ4nB8sL3wC6yH5
             */
            refreshToken: string;
            /**
             * @description Seconds until the access token ends
             * @example 900
             */
            expiresIn: number;
        };
        Webhook: {
            /**
             * Format: uuid
             * @example 019a8c1e-7d20-7b3a-9c4e-5f60718293a4
             */
            id: string;
            /** @example https://hooks.example.com/harbour */
            url: string;
            /**
             * @example [
             *       "post.*",
             *       "user.followed"
             *     ]
             */
            types: string[];
            /** @example Rings the bell of the harbour office */
            description: string | null;
            /** @example true */
            is_active: boolean;
            /**
             * @description Why the server switched it off
             * @example null
             */
            switched_off: string | null;
            /** @description Who created it, or has changed its address or switched it on since. It stops when they may no longer manage webhooks; somebody else takes it over by switching it on. Null where an account has one person. */
            created_by: {
                /** @example 7 */
                id: string;
                /** @example weather bot */
                name: string;
            } | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookChange: {
            /** @example https://hooks.example.com/harbour */
            url?: string;
            /**
             * @example [
             *       "post.*",
             *       "user.followed"
             *     ]
             */
            types?: string[];
            /** @example Rings the bell of the harbour office */
            description?: string | null;
            is_active?: boolean;
        };
        WebhookTestResult: {
            /** @example 200 */
            response_status: number | null;
            /** @example 48 */
            response_time_ms: number | null;
            /**
             * @description Its first 1 KiB
             * @example ok
             */
            response_body: string | null;
            /**
             * @description Why it did not succeed
             * @example null
             */
            error: string | null;
        };
    };
    responses: {
        /** @description The request is malformed, or a value in it is not valid. */
        Refused400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "The request is malformed, or a value in it is not valid.",
                 *       "code": "bad_request",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Credentials are missing, wrong or expired. */
        Refused401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "This token has expired: sign in again",
                 *       "code": "unauthorized",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credentials are valid, but do not allow this. */
        Refused403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "Forbidden",
                 *       "code": "forbidden",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description What the request names does not exist, or is not visible to these credentials. */
        Refused404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "Not found",
                 *       "code": "not_found",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body did not arrive in time. */
        Refused408: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "The body did not arrive in time.",
                 *       "code": "timeout",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request contradicts the current state, or a request with the same Idempotency-Key is still running. */
        Refused409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "The request contradicts the current state, or a request with the same Idempotency-Key is still running.",
                 *       "code": "conflict",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description This was removed and will not come back. */
        Refused410: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "This was removed and will not come back.",
                 *       "code": "bad_request",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A condition in `If-Match`, `If-None-Match` or `If-Unmodified-Since` does not hold. */
        Refused412: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "A condition in `If-Match`, `If-None-Match` or `If-Unmodified-Since` does not hold.",
                 *       "code": "precondition_failed",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body, or what would be stored, is larger than a limit allows. */
        Refused413: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "The body, or what would be stored, is larger than a limit allows.",
                 *       "code": "too_large",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body has another media type than this operation reads, or is compressed. */
        Refused415: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "The body has another media type than this operation reads, or is compressed.",
                 *       "code": "unsupported_media_type",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A value in the request is not valid; `errors` says which and why. */
        Refused422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "email must be an email address",
                 *       "code": "invalid_input",
                 *       "request_id": "01JPA3V7KQ8ZC5T4",
                 *       "errors": [
                 *         {
                 *           "field": "email",
                 *           "message": "email must be an email address"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A rate limit or a quota is used up. `Retry-After` says when to try again. */
        Refused429: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "Too many requests, try again in 12 seconds",
                 *       "code": "rate_limited",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the server, which is in its log under the request id. */
        Refused500: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "A fault of the server, which is in its log under the request id.",
                 *       "code": "internal_error",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server does not do what the request asks for. */
        Refused501: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "The server does not do what the request asks for.",
                 *       "code": "internal_error",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server is overloaded, stopping, or has no database at the moment. The same request may succeed shortly. */
        Refused503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "Service temporarily unavailable",
                 *       "code": "unavailable",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server has no room for more content at the moment. */
        Refused507: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "The server has no room for more content at the moment.",
                 *       "code": "insufficient_storage",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Any text of up to 255 characters, new for each operation. A repeat of the same request with the same key within 24 hours returns the first response instead of doing the work again.
         * @example 5f0c6c7e-1d6f-4d7a-9d0b-0f4a9c1e2b3d
         */
        "Idempotency-Key": string;
        /**
         * @description Streams only: the last event that was received. It goes before `after`.
         * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
         */
        "Last-Event-ID": string;
        /**
         * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
         * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
         */
        "If-None-Match": string;
        /**
         * @description An HTTP date: 304 if the content has not changed since.
         * @example Sat, 14 Mar 2026 09:26:53 GMT
         */
        "If-Modified-Since": string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the request in the logs. A client may choose it with a header of the same name. */
        "X-Request-Id": string;
        /** @description Requests allowed in the window. */
        "RateLimit-Limit": number;
        /** @description Requests left in the window. */
        "RateLimit-Remaining": number;
        /** @description Seconds until more requests are allowed. */
        "RateLimit-Reset": number;
        /**
         * @description The limit that was applied: its name, `q` requests in `w` seconds.
         * @example "publishing.reads";q=500;w=900
         */
        "RateLimit-Policy": string;
        /**
         * @description What is left of it: `r` requests; more are allowed after `t` seconds.
         * @example "publishing.reads";r=499;t=900
         */
        RateLimit: string;
        /** @description Seconds to wait before the next attempt. */
        "Retry-After": number;
        /** @description How to authenticate. */
        "WWW-Authenticate": string;
        /** @description Identifies this content. */
        ETag: string;
        /** @description When the content was last changed. */
        "Last-Modified": string;
        /** @description The path of what was created. */
        Location: string;
        /** @description The next page, as `rel="next"`; missing on the last one. */
        Link: string;
        /** @description `true` if this is the stored response to an earlier request with the same Idempotency-Key. */
        "Idempotency-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            503: components["responses"]["Refused503"];
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordResetRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Tokens"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnEmail"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailConfirmation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getOwnProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnProfile"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountDeletion"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            deleted: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["OwnProfile"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Registration"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SignedIn"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SignedIn"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Refresh"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Tokens"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Refresh"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            loggedOut: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            sessions: components["schemas"]["Session"][];
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /**
                             * @description How many sessions have ended
                             * @example 2
                             */
                            ended: number;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @example 9007 */
                            id: number;
                            /** @example true */
                            ended: boolean;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    exportAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything that the account has here */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Profile"];
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    uploadAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The image itself, or a form with one file. Its content decides what it is, not its type. */
        requestBody: {
            content: {
                "image/jpeg": string;
                "image/png": string;
                "image/webp": string;
                "image/gif": string;
                "image/avif": string;
                "multipart/form-data": {
                    /** Format: binary */
                    picture: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Profile"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
            507: components["responses"]["Refused507"];
        };
    };
    removeAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Profile"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    uploadBanner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The image itself, or a form with one file. Its content decides what it is, not its type. */
        requestBody: {
            content: {
                "image/jpeg": string;
                "image/png": string;
                "image/webp": string;
                "image/gif": string;
                "image/avif": string;
                "multipart/form-data": {
                    /** Format: binary */
                    picture: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Profile"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
            507: components["responses"]["Refused507"];
        };
    };
    removeBanner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Profile"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getPicture: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 4f1c9a0be2d87365af1c9a0be2d87365-400.webp */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createPost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of up to 255 characters, new for each operation. A repeat of the same request with the same key within 24 hours returns the first response instead of doing the work again.
                 * @example 5f0c6c7e-1d6f-4d7a-9d0b-0f4a9c1e2b3d
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPost"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            post: components["schemas"]["Post"];
                        };
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getPost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Post"];
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    deletePost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @example 9007 */
                            id: number;
                            deleted: boolean;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    editPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            post: components["schemas"]["Post"];
                        };
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getPostHistory: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            history: components["schemas"]["PostVersion"][];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listUserPosts: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                type?: "post" | "repost" | "quote" | "reply";
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            posts: components["schemas"]["Post"][];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    likePost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            liked: boolean;
                            /** @example 24 */
                            like_count: number;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    unlikePost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            liked: boolean;
                            /** @example 24 */
                            like_count: number;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    repost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of up to 255 characters, new for each operation. A repeat of the same request with the same key within 24 hours returns the first response instead of doing the work again.
                 * @example 5f0c6c7e-1d6f-4d7a-9d0b-0f4a9c1e2b3d
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            post: components["schemas"]["Post"];
                        };
                    };
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            post: components["schemas"]["Post"];
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    unrepost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            reposted: boolean;
                            /** @example 3 */
                            repost_count: number;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listLikes: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            users: components["schemas"]["Profile"][];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listReposts: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            users: components["schemas"]["Profile"][];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listReplies: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            posts: components["schemas"]["Post"][];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listQuotes: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            posts: components["schemas"]["Post"][];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    follow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Follow"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    unfollow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Follow"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    block: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            blocked: boolean;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    unblock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            blocked: boolean;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    mute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            muted: boolean;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    unmute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            muted: boolean;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    acceptFollowRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AnsweredRequest"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    rejectFollowRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AnsweredRequest"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listFollowers: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            users: components["schemas"]["Profile"][];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listFollowing: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            users: components["schemas"]["Profile"][];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listFollowRequests: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            users: components["schemas"]["Profile"][];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /**
                 * @description Only these types, separated by commas
                 * @example reply,mention
                 */
                types?: string;
                /** @description Only those that are not read yet */
                unread?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            notifications: components["schemas"]["Notification"][];
                        };
                        meta: components["schemas"]["NotificationMeta"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    countUnreadNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /**
                             * @description Of all types
                             * @example 3
                             */
                            unread_count: number;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    markNotificationsRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadMark"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /**
                             * @description How many were unread until now
                             * @example 2
                             */
                            marked: number;
                            /**
                             * @description Of all types
                             * @example 3
                             */
                            unread_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    exploreTimeline: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the answer before */
                cursor?: string;
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            posts: components["schemas"]["Post"][];
                            /**
                             * @description null when there is no more
                             * @example MjAyNi0wMy0xNHw5MDA3
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    homeTimeline: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the answer before */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            posts: components["schemas"]["Post"][];
                            /**
                             * @description null when there is no more
                             * @example MjAyNi0wMy0xNHw5MDA3
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    hashtagTimeline: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the answer before */
                cursor?: string;
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example tides */
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            posts: components["schemas"]["Post"][];
                            /**
                             * @description null when there is no more
                             * @example MjAyNi0wMy0xNHw5MDA3
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listHashtagPosts: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example tides */
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            posts: components["schemas"]["Post"][];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    search: {
        parameters: {
            query: {
                /**
                 * @description Words or parts of words, in any order
                 * @example seals
                 */
                q: string;
                type?: "post" | "user" | "hashtag";
                page?: number;
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            posts: components["schemas"]["Post"][];
                            /** @description With type=user */
                            users?: components["schemas"]["Profile"][];
                            /**
                             * @description With type=hashtag
                             * @example [
                             *       {
                             *         "tag": "tides",
                             *         "post_count": 87
                             *       }
                             *     ]
                             */
                            hashtags?: components["schemas"]["Hashtag"][];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            keys: components["schemas"]["Key"][];
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["KeyCreated"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listKeyUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            usage: components["schemas"]["KeyUsage"][];
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getKeyUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            usage: components["schemas"]["KeyUsage"];
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9007 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @example 9007 */
                            id: number;
                            revoked: boolean;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    suspendAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Decision"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    unsuspendAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Decision"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    verifyAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Decision"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    adminAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Decision"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getUserFeedRss: {
        parameters: {
            query?: {
                count?: number;
                /** @description What besides posts and quotes: `replies`, `reposts` or both */
                include?: string;
                /** @description The `nextCursor` of the answer before */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description An HTTP date: 304 if the content has not changed since.
                 * @example Sat, 14 Mar 2026 09:26:53 GMT
                 */
                "If-Modified-Since"?: components["parameters"]["If-Modified-Since"];
            };
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    "application/rss+xml": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getHashtagFeedRss: {
        parameters: {
            query?: {
                count?: number;
                /** @description The `nextCursor` of the answer before */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example tides */
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/rss+xml": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getExploreFeedRss: {
        parameters: {
            query?: {
                count?: number;
                /** @description The `nextCursor` of the answer before */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/rss+xml": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getSearchFeedRss: {
        parameters: {
            query: {
                /**
                 * @description Words or parts of words, in any order
                 * @example seals
                 */
                q: string;
                count?: number;
                page?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/rss+xml": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getUserFeedAtom: {
        parameters: {
            query?: {
                count?: number;
                /** @description What besides posts and quotes: `replies`, `reposts` or both */
                include?: string;
                /** @description The `nextCursor` of the answer before */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description An HTTP date: 304 if the content has not changed since.
                 * @example Sat, 14 Mar 2026 09:26:53 GMT
                 */
                "If-Modified-Since"?: components["parameters"]["If-Modified-Since"];
            };
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getHashtagFeedAtom: {
        parameters: {
            query?: {
                count?: number;
                /** @description The `nextCursor` of the answer before */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example tides */
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getExploreFeedAtom: {
        parameters: {
            query?: {
                count?: number;
                /** @description The `nextCursor` of the answer before */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getSearchFeedAtom: {
        parameters: {
            query: {
                /**
                 * @description Words or parts of words, in any order
                 * @example seals
                 */
                q: string;
                count?: number;
                page?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getUserFeedJson: {
        parameters: {
            query?: {
                count?: number;
                /** @description What besides posts and quotes: `replies`, `reposts` or both */
                include?: string;
                /** @description The `nextCursor` of the answer before */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description An HTTP date: 304 if the content has not changed since.
                 * @example Sat, 14 Mar 2026 09:26:53 GMT
                 */
                "If-Modified-Since"?: components["parameters"]["If-Modified-Since"];
            };
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getHashtagFeedJson: {
        parameters: {
            query?: {
                count?: number;
                /** @description The `nextCursor` of the answer before */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example tides */
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getExploreFeedJson: {
        parameters: {
            query?: {
                count?: number;
                /** @description The `nextCursor` of the answer before */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getSearchFeedJson: {
        parameters: {
            query: {
                /**
                 * @description Words or parts of words, in any order
                 * @example seals
                 */
                q: string;
                count?: number;
                page?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getWidgetScript: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getEmbedPage: {
        parameters: {
            query?: {
                theme?: "auto" | "dark" | "light";
                count?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example harbourwatch */
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getOEmbed: {
        parameters: {
            query: {
                /**
                 * @description The address of a profile or a post
                 * @example https://social.example.com/@harbourwatch/9007
                 */
                url: string;
                /** @description `json` or `xml`; any other is refused with 501 */
                format?: string;
                maxwidth?: number;
                maxheight?: number;
            };
            header?: {
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the format that was asked for */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OEmbed"];
                    "text/xml": string;
                };
            };
            /** @description Not changed since */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            501: components["responses"]["Refused501"];
            503: components["responses"]["Refused503"];
        };
    };
    getInstance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            instance: components["schemas"]["Instance"];
                        };
                    };
                };
            };
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                after?: string;
                /**
                 * @description Types, separated by commas; `order.*` stands for all types of orders
                 * @example post.*,user.followed
                 */
                types?: string;
                /** @example post/9007 */
                subject?: string;
                limit?: number;
                /** @description Instead of your own events those of all public accounts, for which no credentials are needed: `post.created`, `post.updated`, `post.deleted` */
                scope?: "public";
            };
            header?: {
                /**
                 * @description Streams only: the last event that was received. It goes before `after`.
                 * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
                 */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, or a stream of them */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            events: components["schemas"]["Event"][];
                            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                            next: string;
                        };
                    };
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            410: components["responses"]["Refused410"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            webhooks: components["schemas"]["Webhook"][];
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CreatedWebhook"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["RotatedSecret"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WebhookTestResult"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                status?: "pending" | "succeeded" | "dead";
                page?: number;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            deliveries: components["schemas"]["Delivery"][];
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeliveryAccepted"];
                    };
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    replayEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Replay"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Replayed"];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    onPostCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event: the same in every attempt.
                 * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1763208000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                    id: string;
                    /** @constant */
                    type: "post.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Post"];
                };
            };
        };
        responses: {
            /** @description Nothing more is wanted here: the webhook is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was received. Anything else, or nothing within 10 s, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPostUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event: the same in every attempt.
                 * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1763208000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                    id: string;
                    /** @constant */
                    type: "post.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Post"];
                };
            };
        };
        responses: {
            /** @description Nothing more is wanted here: the webhook is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was received. Anything else, or nothing within 10 s, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPostDeleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event: the same in every attempt.
                 * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1763208000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                    id: string;
                    /** @constant */
                    type: "post.deleted";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Post"];
                };
            };
        };
        responses: {
            /** @description Nothing more is wanted here: the webhook is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was received. Anything else, or nothing within 10 s, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPostLiked: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event: the same in every attempt.
                 * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1763208000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                    id: string;
                    /** @constant */
                    type: "post.liked";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["PostLike"];
                };
            };
        };
        responses: {
            /** @description Nothing more is wanted here: the webhook is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was received. Anything else, or nothing within 10 s, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPostUnliked: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event: the same in every attempt.
                 * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1763208000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                    id: string;
                    /** @constant */
                    type: "post.unliked";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["PostLike"];
                };
            };
        };
        responses: {
            /** @description Nothing more is wanted here: the webhook is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was received. Anything else, or nothing within 10 s, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPostMentioned: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event: the same in every attempt.
                 * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1763208000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                    id: string;
                    /** @constant */
                    type: "post.mentioned";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Post"];
                };
            };
        };
        responses: {
            /** @description Nothing more is wanted here: the webhook is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was received. Anything else, or nothing within 10 s, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserFollowed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event: the same in every attempt.
                 * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1763208000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                    id: string;
                    /** @constant */
                    type: "user.followed";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["FollowOfAccount"];
                };
            };
        };
        responses: {
            /** @description Nothing more is wanted here: the webhook is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was received. Anything else, or nothing within 10 s, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserUnfollowed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event: the same in every attempt.
                 * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1763208000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                    id: string;
                    /** @constant */
                    type: "user.unfollowed";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["FollowOfAccount"];
                };
            };
        };
        responses: {
            /** @description Nothing more is wanted here: the webhook is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was received. Anything else, or nothing within 10 s, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserFollowRequested: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event: the same in every attempt.
                 * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1763208000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                    id: string;
                    /** @constant */
                    type: "user.follow_requested";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["FollowOfAccount"];
                };
            };
        };
        responses: {
            /** @description Nothing more is wanted here: the webhook is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was received. Anything else, or nothing within 10 s, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event: the same in every attempt.
                 * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1763208000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                    id: string;
                    /** @constant */
                    type: "user.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Profile"];
                };
            };
        };
        responses: {
            /** @description Nothing more is wanted here: the webhook is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was received. Anything else, or nothing within 10 s, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserDeleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event: the same in every attempt.
                 * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was made, in seconds since 1970.
                 * @example 1763208000
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body`.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                    id: string;
                    /** @constant */
                    type: "user.deleted";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Profile"];
                };
            };
        };
        responses: {
            /** @description Nothing more is wanted here: the webhook is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was received. Anything else, or nothing within 10 s, is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
