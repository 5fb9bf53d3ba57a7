// Generated from docs/openapi/storage.json by `npm run openapi`.

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
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an organization
         * @description Creates an organization together with its owner and returns a token, so no separate login is needed. A new organization starts with a 14-day trial: 5 GiB of storage and 10 GiB of bandwidth a month. An email or slug that is already in use is refused with 409. At most 10 requests a minute from one address.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
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
         * @description Exchanges an email and password for a bearer token that is valid for 12 hours. When two-factor login is on, `totpToken` is required; a missing or wrong code returns 401, and the message says which. An account is locked for a while after 5 failures within 15 minutes; an address may try 10 times a minute.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find out who is signed in to the console
         * @description Returns the account of the session that the cookie of this request belongs to, or 204 if it has none or it has ended. Unlike `GET /auth/me` it refuses nobody, so a page can begin with it.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in to the console
         * @description Opens a session for a browser, after the same checks as a login and within the same limits. The response sets a cookie that scripts cannot read and that is valid for 30 days. It counts as credentials only on requests with the header `X-Trivet-Console: 1` from pages of this server. The session ends when the password is changed or reset, except where it was changed.
         */
        post: operations["openSession"];
        /**
         * Sign out of the console
         * @description Ends the session that the cookie of this request belongs to, on every node, and deletes the cookie. Tokens and API keys are not affected. Without a session it returns 401.
         */
        delete: operations["closeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/forgot-password": {
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
    "/auth/reset-password": {
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
         * @description Sets a new password with the token from the reset mail. A token works once, within an hour; an invalid, expired or used one returns 400. Every session of the account ends, and two-factor login is switched off.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current account
         * @description Returns the user behind the credentials and their organization, with its plan, quotas and usage. With an API key, this is the user who created the key.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Returns your own keys that have not been revoked, newest first. Only the first 12 characters of a key are shown; the key itself cannot be read back. `parent_id` names the key it was made with, and is null for keys made by a signed-in person.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates a key that acts with your current role; its secret is shown only in this response. Send it whole in `X-API-Key`, or as the pair `X-Api-Key` and `X-Api-Secret`. A key made with a key descends from it: policy statements that name the parent apply to it too, and it is revoked with its parent. Keys can descend for 20 generations; beyond that the request is refused with 403.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys/{id}": {
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
         * @description Revokes a key and every key that was made with it. They are refused from the next request on. Revoking cannot be undone.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Returns everybody in the organization, the longest-standing member first. Only the owner may list members.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Add a member
         * @description Creates an account in the organization with the role `admin` or `member`. Only the owner may add members. An email that is already in use, in any organization, is refused with 409.
         */
        post: operations["addMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{userId}": {
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
         * Remove a member
         * @description Removes a member from the organization. Their tokens and API keys stop working at once; the objects they uploaded stay. Only the owner may do this, and the owner cannot be removed (403).
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Gives a member another role. It applies from the next request on, also to the member's tokens and keys. Only the owner may do this, and the owner's own role cannot be changed (403).
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/settings/profile": {
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
         * Change your profile
         * @description Changes your name. Returns the account, as `GET /auth/me` does.
         */
        patch: operations["changeProfile"];
        trace?: never;
    };
    "/settings/organization": {
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
         * Rename the organization
         * @description Changes the name of the organization; its slug stays. Returns the account, as `GET /auth/me` does. Only the owner may do this.
         */
        patch: operations["changeOrganization"];
        trace?: never;
    };
    "/settings/password": {
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
         * @description Sets a new password after checking the current one; a wrong current password returns 401. Every session ends, including this one, so log in again afterwards. Set `revokeKeys` to revoke your API keys as well. API keys cannot do this.
         */
        patch: operations["changePassword"];
        trace?: never;
    };
    "/settings/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get two-factor status
         * @description Returns whether two-factor login is on for your account. API keys are refused here, and on all of two-factor login.
         */
        get: operations["getTotpStatus"];
        put?: never;
        post?: never;
        /**
         * Turn off two-factor login
         * @description Turns two-factor login off. It needs a code that your authenticator shows at this moment; a wrong code returns 400.
         */
        delete: operations["switchTotpOff"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/totp/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up two-factor login
         * @description Creates a secret and an `otpauth` address for the QR code that authenticator apps scan. Two-factor login is not on until a code made with the secret has been verified. Setting up again replaces a secret that was not verified; once two-factor login is on, the request is refused with 409.
         */
        post: operations["setUpTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/totp/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn on two-factor login
         * @description Turns two-factor login on with a code from the authenticator that was set up. From then on, every login needs a code. A wrong code returns 400.
         */
        post: operations["verifyTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List buckets
         * @description Returns all buckets of the organization that your credentials may read, newest first. Every role may list buckets unless a policy denies it.
         */
        get: operations["listBuckets"];
        put?: never;
        /**
         * Create a bucket
         * @description Creates a bucket, private and with versioning unless the request says otherwise. Owners and admins may create buckets. Names are unique within the organization; a name that exists is refused with 409.
         */
        post: operations["createBucket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bucket
         * @description Returns a bucket with its number of live objects and their total size. The id of another organization's bucket returns 404.
         */
        get: operations["getBucket"];
        put?: never;
        post?: never;
        /**
         * Delete a bucket
         * @description Deletes a bucket that holds no live objects; one that does is refused with 409. Deleted objects and old versions in it are removed for good. Owners and admins may do this unless the bucket's policy says otherwise.
         */
        delete: operations["deleteBucket"];
        options?: never;
        head?: never;
        /**
         * Update a bucket
         * @description Changes the visibility, versioning or quota of a bucket; fields that are left out stay as they are. Owners and admins may do this unless the bucket's policy says otherwise. Turning versioning off keeps the versions that exist.
         */
        patch: operations["updateBucket"];
        trace?: never;
    };
    "/buckets/{bucketId}/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bucket's policy
         * @description Returns the policy statements of a bucket, an empty array if it has none. Owners and admins may read policies; the owner can never be denied this.
         */
        get: operations["getPolicy"];
        /**
         * Replace a bucket's policy
         * @description Replaces all statements of the bucket's policy, or, in Form R, sets its visibility. A matching `deny` wins over any `allow`, whatever their order; where no statement matches, the role decides. An unknown condition, or a statement that names a user or key that does not exist, is refused with 400. The owner always keeps `policy.read` and `policy.write`. With `If-Match` and the `ETag` of the policy that was read, what somebody else has saved since is not replaced.
         */
        put: operations["replacePolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/policy/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a policy decision
         * @description Returns whether a subject would be allowed an action on the bucket or on one of its objects, and which statement or role decided. With `statements`, these are tried instead of the saved policy, so that a policy can be tested before it is in force. Nothing is changed or recorded.
         */
        post: operations["simulatePolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/lifecycle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bucket's lifecycle rules
         * @description Returns the rules by which objects, old versions and unfinished uploads of a bucket go by themselves. A new bucket has one: what was deleted or replaced is removed for good after 30 days by default, and unfinished uploads fail after 7.
         */
        get: operations["getLifecycle"];
        /**
         * Replace a bucket's lifecycle rules
         * @description Replaces all rules of a bucket, also the one that it began with. A rule is about keys that begin with its `prefix`, and objects that have all of its `tags` and a size within its bounds; if several apply, the first that is due decides. `expiration_days` and `expiration_date` delete objects, which then can be recovered until `noncurrent_days` have passed. Days are counted to the next midnight in UTC; those of uploads to the minute. Rules are applied to what is stored already, too. Owners and admins may do this unless the bucket's policy says otherwise. With `If-Match` and the `ETag` of the rules that were read, what somebody else has saved since is not replaced.
         */
        put: operations["replaceLifecycle"];
        post?: never;
        /**
         * Delete a bucket's lifecycle rules
         * @description Removes all rules, also the one that the bucket began with: nothing in it goes by itself any more, and deleted objects can be recovered forever.
         */
        delete: operations["deleteLifecycle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/objects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List objects
         * @description Returns the objects of a bucket in the order of their keys. `prefix` and `search` filter by key; `delimiter` groups deeper keys into folders. Form S returns up to 1000 objects unless `limit` is given, Form R 100. For large buckets, page with `cursor`: each page gives the next one in `X-Next-Cursor`.
         */
        get: operations["listObjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List versions of an object
         * @description Returns every content that a key has had and still has, newest first. Overwriting keeps the earlier content as a version while the bucket has versioning enabled. Old versions are purged after 30 days by default.
         */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        /**
         * Delete a version of an object
         * @description Removes one content of a key for good. If it is the current one, the content before it becomes the current one. This needs the `object.purge` permission (owners and admins).
         */
        delete: operations["deleteVersion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/objects/{objectKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an object
         * @description Returns the bytes of an object with its `Content-Type`, its `ETag`, and its metadata as `x-meta-*` headers. Ranges and conditional requests are supported. `versionId` selects an earlier version; `download=false` shows the content in the browser instead of saving it. The bytes sent count towards the monthly bandwidth; over its quota, downloads return 403.
         */
        get: operations["downloadObject"];
        /**
         * Upload an object
         * @description Stores the request body as an object, byte for byte, with its `Content-Type`; headers `x-meta-*` become its metadata. Returns 201 for a new key and 200 when it replaces an object, whose earlier content is kept as a version if the bucket has versioning. `Content-MD5` and `Content-Digest` are checked, and `If-Match` and `If-None-Match` are honoured. `Cache-Control`, `Content-Disposition`, `Content-Encoding` and `Content-Language` are kept and sent with downloads; `Content-Range` is refused with 400. Over a quota the upload is refused with 403, over the upload size limit (1 GiB by default) with 413.
         */
        put: operations["putObject"];
        post?: never;
        /**
         * Delete an object
         * @description Marks an object as deleted; it can be recovered for 30 days by default. With `permanent=true` it is purged at once, together with its versions, which needs the `object.purge` permission (owners and admins). `If-Match` and `If-None-Match` are compared with the live object: unless they hold, the response is 412 and nothing is deleted.
         */
        delete: operations["deleteObject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/objects/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete several objects
         * @description Deletes up to 1000 objects in one call. Each key is deleted in a transaction of its own, and the response lists which were deleted and which were not. After a 503, or no response at all, some may be deleted; sending the same request again deletes the rest.
         */
        post: operations["deleteObjects"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/objects/{objectKey}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover a deleted object
         * @description Brings a deleted object back under its key. If a live object has taken the key in the meantime, the request is refused with 409. Objects can be recovered until they are purged, 30 days after their deletion by default.
         */
        post: operations["recoverObject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/objects/{objectKey}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy an object
         * @description Copies an object to another key, in the same bucket or in another one of the organization, with its content type and metadata. No bytes are rewritten, but the copy counts its full size towards the quotas. Returns 200 when it replaces an object at the destination, otherwise 201.
         */
        post: operations["copyObject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/objects/{objectKey}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move or rename an object
         * @description Moves an object to another key, in the same bucket or in another one of the organization. No bytes are rewritten. Returns 200 when it replaces an object at the destination, otherwise 201.
         */
        post: operations["moveObject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/objects/{objectKey}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a version
         * @description Makes an earlier version the current content of its key. The content that it replaces stays available as a version. Find the `versionId` by listing the versions of the object.
         */
        post: operations["restoreVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/object-tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tags of an object
         * @description Returns the tags of an object, or with `versionId` those of one of its versions, and the id of the version that has them.
         */
        get: operations["getObjectTags"];
        /**
         * Replace the tags of an object
         * @description Replaces all tags of an object, or with `versionId` those of one of its versions. The content stays the same and no version is made. An object has at most 10 tags; names have 1 to 128 characters, values at most 256: letters, digits, spaces and `_ . : / = + - @`. This needs the `object.write` permission.
         */
        put: operations["replaceObjectTags"];
        post?: never;
        /**
         * Delete the tags of an object
         * @description Removes all tags of an object, or with `versionId` those of one of its versions. Succeeds if there are none.
         */
        delete: operations["deleteObjectTags"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted objects
         * @description Returns what was deleted in a bucket and has not gone for good yet, the last deletion first, with the time at which it will. `POST …/recover` brings an object back; `DELETE …?permanent=true` removes all of its key for good.
         */
        get: operations["listTrash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/objects/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload several small objects
         * @description Stores up to 100 objects whose bytes are in the request, which may have 1 MiB. Each is stored as a request of its own would store it, with the same checks and quotas, and counts as one towards the rate limit. The response lists which were stored and which were refused, with the status and the reason. After a 503, or no response at all, some may be stored; sending the same request again stores the rest.
         */
        post: operations["uploadObjects"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/signed-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a signed URL
         * @description Returns a URL with which anyone can download (`GET`) or upload (`PUT`) one object until it expires. It is valid for one hour by default: 60 seconds to 24 hours with `expiresInSeconds`, up to 7 days with `expiresIn`. `maxBytes` and `contentType` limit what may be uploaded; `versionId` is for one content of the key, also after it was replaced. A URL stops working when the one who signed it loses the right to do the same.
         */
        post: operations["createSignedUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/objects/{bucketId}/{objectKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a public object
         * @description Returns the bytes of an object in a public bucket, or of any object with a signed URL; no credentials are needed. A private bucket without a valid signature, and a URL that has expired or was altered, return 403; `code` says which: `link_expired`, `link_invalid`, `link_wrong_method` or `link_withdrawn`. Browsers get errors as a page. At most 600 requests a minute from one address.
         */
        get: operations["downloadPublicObject"];
        /**
         * Upload with a signed URL
         * @description Stores the request body as an object, with a URL that was signed for `PUT`; no credentials are needed. The limits that were set at signing, `maxBytes` and `contentType`, apply. A URL that has expired or was altered returns 403.
         */
        put: operations["uploadWithSignedUrl"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List multipart uploads
         * @description Returns the organization's multipart uploads that your credentials may see, newest first, with their status: `pending`, `completed` or `failed`. An upload that is not completed within 7 days fails, and its parts are removed.
         */
        get: operations["listUploads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/multipart/initiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a multipart upload
         * @description Starts an upload in parts and returns its `uploadId`. Use it for large files: parts can be sent in parallel, and again one by one after a failure. If `totalSizeBytes` is given, it is checked when the upload is completed. An upload that is not completed within 7 days fails.
         */
        post: operations["initiateUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/multipart/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a multipart upload
         * @description Returns an upload with the parts received so far, in the order of their numbers. Use it to find out what to send again after an interruption.
         */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        /**
         * Abort a multipart upload
         * @description Ends an upload and removes its parts, which no longer count towards the quotas. A completed upload cannot be aborted (409).
         */
        delete: operations["abortUpload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/multipart/{uploadId}/parts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List parts of an upload
         * @description Returns the parts that have been received so far, with their numbers, entity tags and sizes.
         */
        get: operations["listParts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/multipart/{uploadId}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a multipart upload
         * @description Joins the parts into an object, in the order of their numbers; without a body, all the parts there are. A wrong entity tag, order or total size returns 400 and leaves the upload pending. Completing an upload again returns 200 with the same object. No bytes are copied.
         */
        post: operations["completeUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get usage
         * @description Returns what the organization uses and how much it may use: stored bytes, bandwidth of this month, and its numbers of objects and buckets. Stored bytes include versions, deleted objects that can still be recovered, and parts of pending uploads. What is kept counts by number, too: `object_quota` is one for each 8 KiB of the storage quota.
         */
        get: operations["getUsageSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get usage by day
         * @description Returns for each day (UTC) what was stored at its end, and how much was uploaded and downloaded on it, with the quotas of today. `from` and `to` are included; without them, these are the last 30 days. At most 366 days can be asked for. Days before the organization was created, and days that have not begun, are left out.
         */
        get: operations["getUsageHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit log entries
         * @description Returns what happened in the organization, newest first: who did it, from which address, and to what. `action` selects one kind of event, such as `object.uploaded`; `objectKey` matches a part of the key; `actorUserId` selects what one person did; `from` and `to` a time. Owners and admins may read the log.
         */
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-logs.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log
         * @description Returns all entries that match, newest first, as CSV (RFC 4180, UTF-8), with the filters of the list. `actor_email` is empty for people who have left. Values that a spreadsheet would run as formulas are made harmless. Owners and admins may read the log.
         */
        get: operations["exportAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-logs/filters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the audit log can be filtered by
         * @description Returns the actions that the log has, each with its number of entries, and the people of the organization. Owners and admins may read them.
         */
        get: operations["listAuditFilters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current plan
         * @description Returns the organization's plan, its expiry and its quotas. Once a plan has expired, reading and deleting still work, but writes are refused with 403. Owners and admins may read it.
         */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/tiers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plan tiers
         * @description Returns the storage and bandwidth tiers that can be bought, with their quotas and monthly prices in cents. Owners and admins may read them.
         */
        get: operations["listTiers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/purchase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Purchase a plan
         * @description Starts a card payment and returns its client secret and the amount in cents. The plan changes only when the payment provider confirms the payment; it then runs for the months that were bought, added to the time that is left. Only the owner may buy.
         */
        post: operations["purchasePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List charges
         * @description Returns payments and promo code redemptions, newest first. Amounts are in cents. Owners and admins may read them.
         */
        get: operations["listCharges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/redeem-promo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a promo code
         * @description Extends the plan by the months of a promo code. A code counts once for each organization; an invalid, expired or already used one returns 400. Only the owner may redeem codes.
         */
        post: operations["redeemPromo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/sandbox/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a sandbox payment
         * @description Completes a payment without a card, in place of the payment provider's form. It exists only while no payment provider is configured; otherwise it returns 404. Only the owner may do this.
         */
        post: operations["confirmInSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the addresses of the service
         * @description Returns the public addresses of this API and of the S3 API, for the settings of clients.
         */
        get: operations["getEndpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
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
         *     Types: `bucket.created`, `bucket.updated`, `bucket.deleted`, `object.created`, `object.updated`, `object.deleted`, `object.recovered`, `object.purged`, `policy.updated`, `member.added`, `member.updated`, `member.removed`, `api_key.created`, `api_key.revoked`, `plan.updated`, `quota.warning`.
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
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Returns all webhooks, oldest first, without their secrets. Owners and admins only.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Events of these types are sent to `url` from now on, signed by the Standard Webhooks specification with `secret`, which is shown only here. The address must be public and use https. At most 20. Owners and admins only.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Returns a webhook and whether it is on, without its secret. Owners and admins only.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Nothing more is sent to it, and its deliveries are removed. Owners and admins only.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Changes what is given. While a webhook is off nothing is queued for it; what it missed can be replayed. Switching it on continues with what was queued before. Owners and admins only.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/webhooks/{id}/rotate": {
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
         * @description Returns a new secret. For 24 hours deliveries carry signatures of both. Owners and admins only.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
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
         * @description Sends an event of type `webhook.test` at once and returns what the receiver responded, at most 10 times a minute. Owners and admins only.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Returns what was or is to be sent to a webhook, newest first, for 30 days by default. Owners and admins only.
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
    "/webhooks/{id}/deliveries/{deliveryId}/retry": {
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
         * @description Makes a delivery again, or at once if it waits for its next attempt. Owners and admins only.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/replay": {
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
         * @description Sends the events after one, up to `until` if it is given, once more. Owners and admins only.
         */
        post: operations["replayEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/objects/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload an object as a form
         * @description Stores a file that is sent as `multipart/form-data`. The fields may come in any order: `file`; `objectKey` or `key`, which defaults to the name of the file (Form R requires it); and `metadata`, a JSON object of custom pairs. Quotas and limits are those of a raw upload.
         */
        post: operations["uploadObject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buckets/{bucketId}/multipart/{uploadId}/parts/{partNumber}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload a part
         * @description Stores the request body as one part of a multipart upload. Part numbers run from 1 to 10,000, and gaps are allowed. A part that is sent again replaces the earlier one once it has arrived whole.
         */
        put: operations["uploadPart"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a payment event
         * @description Called by the payment provider with a signed event; a wrong signature returns 400. An event that is delivered again changes nothing. At most 600 requests a minute from one address.
         */
        post: operations["receivePaymentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "bucket.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A bucket was created */
        post: operations["onBucketCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bucket.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The visibility, versioning or quota of a bucket changed */
        post: operations["onBucketUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bucket.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A bucket was deleted; it is shown as it was before */
        post: operations["onBucketDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "object.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An object was uploaded, copied, made of parts, or restored from an old version */
        post: operations["onObjectCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "object.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An object was overwritten, restored, moved or tagged */
        post: operations["onObjectUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "object.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An object was deleted and can still be recovered */
        post: operations["onObjectDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "object.recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deleted object was recovered */
        post: operations["onObjectRecovered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "object.purged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An object was removed for good; it is shown as it was before */
        post: operations["onObjectPurged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "policy.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The statements of a bucket’s policy changed */
        post: operations["onPolicyUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A member was added */
        post: operations["onMemberAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The role of a member changed */
        post: operations["onMemberUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A member was removed; they are shown as they were before */
        post: operations["onMemberRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A key was created; it is shown without its secret */
        post: operations["onApiKeyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A key was revoked, also with a key that it descends from or with the member whose it was */
        post: operations["onApiKeyRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The plan was changed, extended or has ended */
        post: operations["onPlanUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "quota.warning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** 80 or 95 per cent of a quota are used; again only after it was less */
        post: operations["onQuotaWarning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Account: {
            user: components["schemas"]["User"];
            organization: components["schemas"]["Organization"];
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            /** @example nightly backup */
            label: string;
            /**
             * @description The first characters of the key
             * @example obj_7Hq2mZ4t
             */
            key_prefix: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: uuid
             * @description The key it was made with; null if a person who signed in made it
             * @example null
             */
            parent_id: string | null;
            /** Format: date-time */
            last_used_at: string | null;
        };
        ApiKeyCreated: {
            /** Format: uuid */
            id: string;
            /** @example nightly backup */
            label: string;
            /**
             * @description The first characters of the key
             * @example obj_7Hq2mZ4t
             */
            key_prefix: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: uuid
             * @description The key it was made with; null if a person who signed in made it
             * @example null
             */
            parent_id: string | null;
            /**
             * @description The whole key, shown only now
             * @example obj_7Hq2mZ4tVx9KcR3bLp8D.Qw5nT8yB2jF6sG1hU4kM9aE7
             */
            key: string;
            /** @example obj_7Hq2mZ4tVx9KcR3bLp8D */
            accessKey: string;
            /**
             * @description The second half of the key, shown only now
             * @example Qw5nT8yB2jF6sG1hU4kM9aE7
             */
            secretKey: string;
        };
        ApiKeyPair: {
            /** Format: uuid */
            id: string;
            /** @example obj_7Hq2mZ4tVx9KcR3bLp8D */
            accessKey: string;
            /** @example Qw5nT8yB2jF6sG1hU4kM9aE7 */
            secretKey: string;
            /** @example nightly backup */
            label: string;
            /**
             * Format: uuid
             * @example null
             */
            parentId: string | null;
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId: string;
        };
        AuditChoices: {
            actions: components["schemas"]["AuditedAction"][];
            actors: components["schemas"]["AuditedActor"][];
        };
        AuditLog: {
            /** Format: uuid */
            id: string;
            /** @example object.uploaded */
            action: string;
            /** @example object */
            resource_type: string;
            /** @example 0195941f-4c1d-7b3e-9a52-6d0c8e2f7a41 */
            resource_id: string;
            /** Format: uuid */
            actor_user_id: string | null;
            /** @example 192.0.2.10 */
            ip_address: string;
            /**
             * @example {
             *       "objectKey": "photos/2026/harbour.jpg"
             *     }
             */
            payload: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
        };
        AuditPage: {
            /**
             * @description How many rows match, on all pages
             * @example 1284
             */
            total: number;
            rows: components["schemas"]["AuditLog"][];
        };
        AuditedAction: {
            /** @example object.read */
            action: string;
            /** @description How many entries have it */
            rows: number;
        };
        AuditedActor: {
            /** Format: uuid */
            id: string;
            /** @example Ada Byron */
            full_name: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
        };
        AuthResponse: {
            /**
             * @description A JWT for the header `Authorization: Bearer`, valid for 12 hours
             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk1OTQxZiJ9.dGhlLXNpZ25hdHVyZQ
             */
            token: string;
            user: components["schemas"]["User"];
            organization: components["schemas"]["Organization"];
        };
        BatchResult: {
            /**
             * @example [
             *       "photos/2026/harbour.jpg",
             *       "photos/2026/lighthouse.jpg"
             *     ]
             */
            deleted: string[];
            /** @example [] */
            errors: {
                key: string;
                /** @example Done */
                message: string;
            }[];
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        Bucket: {
            /** Format: uuid */
            id: string;
            /** @example survey-photos */
            name: string;
            /** @enum {string} */
            visibility: "private" | "public";
            versioning_enabled: boolean;
            /** @example local */
            region: string;
            /** @example 107374182400 */
            storage_quota_bytes: number | null;
            /** @example 1284 */
            object_count: number;
            /** @example 9663676416 */
            total_size_bytes: number;
            /** Format: date-time */
            created_at: string;
        };
        BucketChange: {
            /**
             * @example public
             * @enum {string}
             */
            visibility?: "private" | "public";
            versioningEnabled?: boolean;
            /**
             * @description null: no quota of its own
             * @example 53687091200
             */
            storageQuotaBytes?: number | null;
        };
        BucketR: {
            /** Format: uuid */
            id: string;
            /** @example survey-photos */
            name: string;
            /** @enum {string} */
            visibility: "private" | "public";
            /** @example 9663676416 */
            storageUsedBytes: number;
            /** Format: date-time */
            createdAt: string;
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        ChangedPolicy: {
            /** Format: uuid */
            bucket_id: string;
            statements: components["schemas"]["PolicyStatement"][];
        };
        Checksum: {
            /** @example SHA256 */
            algorithm: string;
            /**
             * @description In Base64
             * @example LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=
             */
            value: string;
            /**
             * @description `FULL_OBJECT`, or `COMPOSITE`: of the checksums of its parts
             * @example FULL_OBJECT
             */
            type: string;
        } | null;
        Completion: {
            parts?: {
                /** @example 1 */
                partNumber: number;
                /** @example 9bb58f26192e4ba00f01e2e7b136bbd8 */
                etag: string;
            }[] | null;
        };
        CreatedObject: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            bucket_id: string;
            /** @example photos/2026/harbour.jpg */
            object_key: string;
            /** @example image/jpeg */
            content_type: string;
            /** @example 482133 */
            size_bytes: number;
            /** @example 9bb58f26192e4ba00f01e2e7b136bbd8 */
            etag: string;
            /** @example false */
            is_deleted: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description Custom pairs
             * @example {
             *       "camera": "north-pier"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description In lists, of deleted objects: when it goes for good by the rules of its bucket; null: never
             */
            expires_at?: string | null;
            /**
             * @example upload
             * @enum {string}
             */
            reason: "upload" | "copy" | "multipart" | "restored";
        };
        CreatedWebhook: {
            /**
             * Format: uuid
             * @example 019a8c1e-7d20-7b3a-9c4e-5f60718293a4
             */
            id: string;
            /** @example https://thumbnails.example.com/hooks/trivet */
            url: string;
            /**
             * @example [
             *       "object.*"
             *     ]
             */
            types: string[];
            /** @example Makes thumbnails of new photos */
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
                /** @example survey-photos */
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
        DeletedObject: {
            /** @example true */
            deleted: boolean;
            object: components["schemas"]["Object"];
        };
        DeletedObjectR: {
            /** @example true */
            deleted: boolean;
            object: components["schemas"]["ObjectR"];
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        Delivery: {
            /**
             * Format: uuid
             * @example 019a8c1e-7d20-7b3a-9c4e-5f60718293a4
             */
            id: string;
            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
            event_id: string;
            /** @example object.created */
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
        Destination: {
            /** @example archive/2026/harbour.jpg */
            destinationKey: string;
            /** Format: uuid */
            destinationBucketId?: string | null;
        };
        Endpoints: {
            /**
             * @description Of this API
             * @example https://storage.example.com
             */
            api_url: string;
            /**
             * @description Of the S3 API
             * @example https://s3.example.com
             */
            s3_url: string;
        };
        Error: {
            /**
             * @description For people. With 401, 403 and 404 always the name of the status: see `reason`.
             * @example No bucket with this id
             */
            message: string;
            /**
             * @description The same as `message`.
             * @example No bucket with this id
             */
            error: string;
            /**
             * @description With 401, 403 and 404: which of several causes it was, where that may be told.
             * @example A statement of the policy allows it
             */
            reason: string | null;
            /**
             * @description For programs.
             * @example not_found
             */
            code: string;
            /**
             * @description What is wrong with which field of the input.
             * @example null
             */
            details: {
                field: string;
                /** @example A statement of the policy allows it */
                reason: string;
            }[] | null;
            /**
             * @description The same as the header `X-Request-Id`.
             * @example 01JPA3V7KQ8ZC5T4
             */
            requestId: string;
        };
        Event: {
            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
            id: string;
            /** @example object.created */
            type: string;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Kind and id of what it is about
             * @example object/0195941f-4c1d-7b3e-9a52-6d0c8e2f7a41
             */
            subject: string;
            /**
             * @description The resource as it was then; see the webhooks of this reference for each type
             * @example {
             *       "id": "0195941f-4c1d-7b3e-9a52-6d0c8e2f7a41",
             *       "bucket_id": "0195941e-2a7f-7c55-b1d4-08e3f7a6c912",
             *       "object_key": "photos/2026/harbour.jpg",
             *       "content_type": "image/jpeg",
             *       "size_bytes": 482133,
             *       "etag": "9bb58f26192e4ba00f01e2e7b136bbd8",
             *       "is_deleted": false,
             *       "created_at": "2026-03-14T09:26:53.589Z",
             *       "updated_at": "2026-03-14T09:26:53.589Z",
             *       "metadata": {
             *         "camera": "north-pier"
             *       },
             *       "reason": "upload"
             *     }
             */
            data: {
                [key: string]: unknown;
            };
        };
        Invoice: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            source: "payment" | "promo";
            /** @example 100 GiB of storage and 500 GiB a month, 12 months */
            description: string;
            /**
             * @description Cents
             * @example 6000
             */
            amount: number;
            /** @example usd */
            currency: string;
            /** @example succeeded */
            status: string;
            /**
             * @description Unix time in seconds
             * @example 1773480413
             */
            date: number;
        };
        KeyList: {
            /**
             * @example [
             *       "photos/2026/harbour.jpg",
             *       "photos/2026/lighthouse.jpg"
             *     ]
             */
            keys: string[];
        };
        Lifecycle: {
            rules: components["schemas"]["LifecycleRule"][];
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        LifecycleRule: {
            /** @example drafts */
            id: string;
            /** @example true */
            enabled: boolean;
            /**
             * @description The rule is about keys that begin with it
             * @example drafts/
             */
            prefix: string;
            /**
             * @description The rule is about objects that have all of these
             * @example {}
             */
            tags: {
                [key: string]: string;
            };
            /**
             * @description The smallest size that the rule is about
             * @example null
             */
            min_size_bytes: number | null;
            /**
             * @description The largest size that the rule is about
             * @example null
             */
            max_size_bytes: number | null;
            /**
             * @description Objects are deleted this many days after their content was stored
             * @example 90
             */
            expiration_days: number | null;
            /**
             * Format: date-time
             * @example null
             */
            expiration_date: string | null;
            /**
             * @description Deleted objects of which no version is left are removed
             * @example false
             */
            expired_delete_markers: boolean;
            /**
             * @description Old versions and deleted objects are removed for good this many days later
             * @example 30
             */
            noncurrent_days: number | null;
            /**
             * @description But this many of the newest ones are kept
             * @example 3
             */
            newer_noncurrent_versions: number | null;
            /**
             * @description Multipart uploads that are not completed in this many days fail
             * @example 7
             */
            abort_uploads_days: number | null;
        };
        Login: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** Format: password */
            password: string;
            /** @description Required when two-factor login is on */
            totpToken?: string;
        };
        Member: {
            /** Format: uuid */
            id: string;
            /** @example Ada Byron */
            full_name: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            /** Format: date-time */
            created_at: string;
        };
        MemberChange: {
            /** @enum {string} */
            role: "admin" | "member";
        };
        Message: {
            /** @example Done */
            message: string;
        };
        MultipartSession: {
            /** Format: uuid */
            uploadId: string;
            /** @example photos/2026/harbour.jpg */
            objectKey: string;
            /** Format: uuid */
            bucketId: string;
            /** @example 734003200 */
            totalSizeBytes: number | null;
            /** @enum {string} */
            status: "pending" | "completed" | "failed";
            /** Format: date-time */
            created_at: string;
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        NewApiKey: {
            /**
             * @description Required in Form R
             * @example nightly backup
             */
            label?: string | null;
        };
        NewBucket: {
            /** @example survey-photos */
            name: string;
            /**
             * @default private
             * @enum {string}
             */
            visibility?: "private" | "public";
            /** @default true */
            versioningEnabled?: boolean;
            /** @default local */
            region?: string;
            /** @description null: no quota of its own */
            storageQuotaBytes?: number | null;
        };
        NewLifecycle: {
            rules: components["schemas"]["NewLifecycleRule"][];
        };
        NewLifecycleRule: {
            /**
             * @description Unique among the rules; made up if not given
             * @example drafts
             */
            id?: string | null;
            /**
             * @default true
             * @example true
             */
            enabled?: boolean;
            /**
             * @description The rule is about keys that begin with it
             * @example drafts/
             */
            prefix?: string | null;
            /**
             * @description The rule is about objects that have all of these
             * @example {}
             */
            tags?: {
                [key: string]: string;
            } | null;
            /**
             * @description The smallest size that the rule is about
             * @example null
             */
            min_size_bytes?: number | null;
            /**
             * @description The largest size that the rule is about
             * @example null
             */
            max_size_bytes?: number | null;
            /**
             * @description Objects are deleted this many days after their content was stored
             * @example 90
             */
            expiration_days?: number | null;
            /**
             * Format: date-time
             * @description Objects are deleted from then on; at midnight UTC
             * @example null
             */
            expiration_date?: string | null;
            /**
             * @description Deleted objects of which no version is left are removed
             * @example false
             */
            expired_delete_markers?: boolean | null;
            /**
             * @description Old versions and deleted objects are removed for good this many days later
             * @example 30
             */
            noncurrent_days?: number | null;
            /**
             * @description But this many of the newest ones are kept
             * @example 3
             */
            newer_noncurrent_versions?: number | null;
            /**
             * @description Multipart uploads that are not completed in this many days fail
             * @example 7
             */
            abort_uploads_days?: number | null;
        };
        NewMember: {
            /** @example Grace Murray */
            fullName: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** Format: password */
            password: string;
            /**
             * @default member
             * @enum {string}
             */
            role?: "admin" | "member";
        };
        NewMultipart: {
            /** @example videos/2026/harbour.mp4 */
            objectKey: string;
            /**
             * @description Checked at the end
             * @example 734003200
             */
            totalSizeBytes?: number | null;
            /**
             * @description Of the object; application/octet-stream if not given
             * @example video/mp4
             */
            contentType?: string | null;
            /** @description Custom pairs */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description `Cache-Control` of downloads */
            cacheControl?: string | null;
            /** @description `Content-Disposition` of downloads */
            contentDisposition?: string | null;
            /** @description `Content-Encoding` of downloads */
            contentEncoding?: string | null;
            /** @description `Content-Language` of downloads */
            contentLanguage?: string | null;
        };
        NewPolicy: {
            /** @description Form S: replaces the policy */
            statements?: components["schemas"]["PolicyStatement"][];
            /**
             * @description Form R
             * @enum {string}
             */
            visibility?: "private" | "public";
        };
        NewSession: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** Format: password */
            password: string;
            /** @description Required when two-factor login is on */
            code?: string;
        };
        NewTags: {
            /**
             * @description At most 10. Names have 1 to 128 characters, values at most 256.
             * @example {
             *       "project": "harbour"
             *     }
             */
            tags: {
                [key: string]: string;
            };
        };
        NewWebhook: {
            /** @example https://thumbnails.example.com/hooks/trivet */
            url: string;
            /**
             * @example [
             *       "object.*"
             *     ]
             */
            types?: string[];
            /** @example Makes thumbnails of new photos */
            description?: string | null;
        };
        Object: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            bucket_id: string;
            /** @example photos/2026/harbour.jpg */
            object_key: string;
            /** @example image/jpeg */
            content_type: string;
            /** @example 482133 */
            size_bytes: number;
            /** @example 9bb58f26192e4ba00f01e2e7b136bbd8 */
            etag: string;
            /** @example false */
            is_deleted: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description Custom pairs
             * @example {
             *       "camera": "north-pier"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description In lists, of deleted objects: when it goes for good by the rules of its bucket; null: never
             */
            expires_at?: string | null;
        };
        ObjectBatch: {
            objects: components["schemas"]["ObjectInBatch"][];
        };
        ObjectInBatch: {
            /**
             * @description 1 to 1024 characters
             * @example notes/2026/harbour.txt
             */
            key: string;
            /**
             * @description The bytes, in Base64
             * @example Qm9hdHMgYXQgZGF3bg==
             */
            data: string;
            /**
             * @description application/octet-stream if not given
             * @example text/plain
             */
            contentType?: string | null;
            /** @description Custom pairs */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description `Cache-Control` of downloads */
            cacheControl?: string | null;
            /** @description `Content-Disposition` of downloads */
            contentDisposition?: string | null;
            /** @description `Content-Encoding` of downloads */
            contentEncoding?: string | null;
            /** @description `Content-Language` of downloads */
            contentLanguage?: string | null;
            /**
             * @description Checked, like `Content-Digest`
             * @example sha-256=:ekedOrJOTzYU5ni+XxQuzp5jEx7DvYLVTV7b+S7amho=:
             */
            contentDigest?: string | null;
            /**
             * @description Like `If-Match`
             * @example null
             */
            ifMatch?: string | null;
            /**
             * @description Like `If-None-Match`
             * @example *
             */
            ifNoneMatch?: string | null;
        };
        ObjectListR: {
            /**
             * @description Not with `count=false`
             * @example 1284
             */
            total?: number;
            objects: components["schemas"]["ObjectR"][];
            /**
             * @example [
             *       "photos/2025/",
             *       "photos/2026/"
             *     ]
             */
            folders?: string[];
            /** @example cGhvdG9zLzIwMjYvaGFyYm91ci5qcGc */
            nextCursor: string | null;
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        ObjectR: {
            /** Format: uuid */
            id: string;
            /** @example photos/2026/harbour.jpg */
            objectKey: string;
            /** @example 482133 */
            sizeBytes: number;
            /** @example image/jpeg */
            contentType: string;
            /** @example 9bb58f26192e4ba00f01e2e7b136bbd8 */
            etag: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description In lists
             */
            updatedAt?: string;
            /**
             * @description Custom pairs
             * @example {
             *       "camera": "north-pier"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @example false */
            isDeleted: boolean;
            /**
             * Format: date-time
             * @description In lists, of deleted objects: when it goes for good by the rules of its bucket; null: never
             */
            expiresAt?: string | null;
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        ObjectTags: {
            /**
             * @description At most 10. Names have 1 to 128 characters, values at most 256.
             * @example {
             *       "project": "harbour"
             *     }
             */
            tags: {
                [key: string]: string;
            };
            /** Format: uuid */
            versionId: string;
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        Ok: {
            ok: boolean;
        };
        Organization: {
            /** Format: uuid */
            id: string;
            /** @example Northwind Surveys */
            name: string;
            /** @example northwind-surveys */
            slug: string;
            /** @enum {string} */
            plan_status: "trial" | "active" | "expired";
            /** Format: date-time */
            plan_expires_at: string | null;
            /** @example storage-100 */
            storage_tier: string;
            /** @example bandwidth-500 */
            bandwidth_tier: string;
            /** @example 107374182400 */
            storage_quota_bytes: number;
            /** @example 9663676416 */
            storage_used_bytes: number;
            /** @example 2147483648 */
            bandwidth_used_bytes: number;
            /** @example 13107200 */
            object_quota: number;
            /** @example 1310 */
            retained_objects: number;
        };
        OrganizationChange: {
            /** @example survey-photos */
            name: string;
        };
        Part: {
            /** @example 1 */
            partNumber: number;
            /** @example 9bb58f26192e4ba00f01e2e7b136bbd8 */
            etag: string;
            /** @example 8388608 */
            sizeBytes: number;
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        PartList: {
            parts: components["schemas"]["Part"][];
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        PasswordChange: {
            /** Format: password */
            currentPassword: string;
            /** Format: password */
            newPassword: string;
            /** @description Whether your API keys end too; they stay unless it is true */
            revokeKeys?: boolean;
        };
        PasswordReset: {
            /**
             * @description From the mail; good once, within one hour
             * @example k3J9xQ2vTn8LrW5mZb7HcY4s
             */
            token: string;
            /** Format: password */
            newPassword: string;
            /** @description Whether your API keys end too; they stay unless it is true */
            revokeKeys?: boolean;
        };
        PasswordResetRequest: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
        };
        PaymentStatus: {
            /** @example succeeded */
            status: string;
        };
        Plan: {
            /** @enum {string} */
            plan_status: "trial" | "active" | "expired";
            /** Format: date-time */
            plan_expires_at: string | null;
            /** @example storage-100 */
            storage_tier: string | null;
            /** @example bandwidth-500 */
            bandwidth_tier: string | null;
            /** @example 107374182400 */
            storage_quota_bytes: number | null;
            /** @example 536870912000 */
            bandwidth_quota_bytes: number | null;
            /**
             * @description One for each 8 KiB of the storage quota
             * @example 13107200
             */
            object_quota: number | null;
        };
        PolicyAnswer: {
            /** @enum {string} */
            decision: "allow" | "deny";
            /** @example A statement of the policy allows it */
            reason: string;
            statement: components["schemas"]["PolicyStatement"] | null;
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        PolicyQuestion: {
            /** @example object.read */
            action: string;
            /** @example photos/2026/harbour.jpg */
            objectKey?: string | null;
            /**
             * @example role
             * @enum {string}
             */
            subjectType: "user" | "role" | "api_key";
            /** @example member */
            subjectId: string;
            /** @description A policy to try instead of the saved one; it is not stored */
            statements?: components["schemas"]["PolicyStatement"][];
        };
        PolicyStatement: {
            /** @enum {string} */
            effect: "allow" | "deny";
            /**
             * @description Such as `object.read`; `object.*` and `*` work too
             * @example object.read
             */
            action: string;
            /**
             * @example object
             * @enum {string}
             */
            resourceType: "bucket" | "object";
            /**
             * @description An id, a bucket name or a key; `*` stands for any run of characters
             * @example photos/*
             */
            resourceId: string;
            /**
             * @example role
             * @enum {string}
             */
            subjectType: "user" | "role" | "api_key";
            /**
             * @description An id, a role (also `anonymous`), or `*`
             * @example member
             */
            subjectId: string;
            /** @description All must hold: `ipCidr`, `notIpCidr`, `notBefore`, `expiresAt`, `prefix`, `contentType`, `maxSizeBytes` */
            conditions?: {
                [key: string]: unknown;
            } | null;
        };
        ProfileChange: {
            /** @example Ada Byron */
            fullName: string;
        };
        PromoRedeemed: {
            /** @example The plan was extended by 3 months */
            message: string;
            /** @example 3 */
            months_added: number;
            /** Format: date-time */
            plan_expires_at: string;
        };
        PromoRedemption: {
            /** @example SPRING-2026 */
            code: string;
        };
        Purchase: {
            /**
             * @example storage-100
             * @enum {string}
             */
            storageTier: "storage-100" | "storage-1000" | "storage-10000";
            /**
             * @example bandwidth-500
             * @enum {string}
             */
            bandwidthTier: "bandwidth-500" | "bandwidth-5000" | "bandwidth-50000";
            /** @example 12 */
            termMonths: number;
        };
        PurchaseCreated: {
            /**
             * @description For the provider's card form
             * @example pi_3RkT8uL9_secret_h2Vx7Qm4
             */
            clientSecret: string;
            /**
             * @description Cents
             * @example 6000
             */
            amount: number;
        };
        PurgedObject: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            bucket_id: string;
            /** @example photos/2026/harbour.jpg */
            object_key: string;
            /** @example image/jpeg */
            content_type: string;
            /** @example 482133 */
            size_bytes: number;
            /** @example 9bb58f26192e4ba00f01e2e7b136bbd8 */
            etag: string;
            /** @example false */
            is_deleted: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description Custom pairs
             * @example {
             *       "camera": "north-pier"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description In lists, of deleted objects: when it goes for good by the rules of its bucket; null: never
             */
            expires_at?: string | null;
            /**
             * @description Another object of its key has taken over its contents
             * @enum {string}
             */
            reason?: "replaced";
        };
        QuotaWarning: {
            /** @enum {string} */
            kind: "storage" | "bandwidth";
            /**
             * @example 80
             * @enum {integer}
             */
            percent: 80 | 95;
            /** @example 92341796864 */
            used_bytes: number;
            /** @example 107374182400 */
            quota_bytes: number;
        };
        Received: {
            received: boolean;
        };
        RecoveredObject: {
            recovered: boolean;
            object: components["schemas"]["Object"];
        };
        RecoveredObjectR: {
            recovered: boolean;
            object: components["schemas"]["ObjectR"];
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        RefusedInBatch: {
            /** @example notes/2026/pier.txt */
            key: string;
            /**
             * @description What a request for this object alone would have returned
             * @example 412
             */
            status: number;
            /** @example Precondition failed */
            message: string;
        };
        Registration: {
            /** @example Northwind Surveys */
            organizationName: string;
            /** @example northwind-surveys */
            organizationSlug: string;
            /** @example Ada Byron */
            fullName: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** Format: password */
            password: string;
        };
        Replay: {
            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
            after: string;
            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
            until?: string;
            /**
             * @example [
             *       "object.*"
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
        SandboxConfirmation: {
            /** @example pi_3RkT8uL9_secret_h2Vx7Qm4 */
            clientSecret: string;
        };
        SessionWithParts: {
            /** Format: uuid */
            uploadId: string;
            /** @example photos/2026/harbour.jpg */
            objectKey: string;
            /** Format: uuid */
            bucketId: string;
            /** @example 734003200 */
            totalSizeBytes: number | null;
            /** @enum {string} */
            status: "pending" | "completed" | "failed";
            /** Format: date-time */
            created_at: string;
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
            parts: components["schemas"]["Part"][];
        };
        SignedUrl: {
            /**
             * Format: uri
             * @example https://files.example.com/public/objects/0195941f-4c1d-7b3e-9a52-6d0c8e2f7a41/photos/2026/harbour.jpg?signature=3q2-7w&expires=1773484013&method=GET
             */
            url: string;
            /** Format: date-time */
            expiresAt: string;
            /** @enum {string} */
            method: "GET" | "PUT";
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        SigningRequest: {
            /** @example photos/2026/harbour.jpg */
            objectKey: string;
            /**
             * @default GET
             * @enum {string}
             */
            method?: "GET" | "PUT";
            /** @description Form S; 3600 if not given */
            expiresInSeconds?: number;
            /** @description Form R; 3600 if not given */
            expiresIn?: number;
            /** @description PUT: at most this many */
            maxBytes?: number | null;
            /** @description PUT: only this Content-Type */
            contentType?: string | null;
            /**
             * Format: uuid
             * @description GET: this content of the key, whatever becomes the current one
             */
            versionId?: string | null;
        };
        Status: {
            /** @example ok */
            status: string;
        };
        Tier: {
            /** @example storage-100 */
            code: string;
            /** @example 100 GiB of storage */
            name: string;
            /** @example 107374182400 */
            quota_bytes: number;
            /** @example 300 */
            monthly_cents: number;
        };
        Tiers: {
            /**
             * @description Lower-case code
             * @example usd
             */
            currency: string;
            storage: components["schemas"]["Tier"][];
            bandwidth: components["schemas"]["Tier"][];
        };
        TotpCode: {
            /**
             * @description The code that the authenticator shows now
             * @example 492039
             */
            token: string;
        };
        TotpSetup: {
            /**
             * @description Base32
             * @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP
             */
            secret: string;
            /**
             * @description For the QR code that authenticator apps scan
             * @example otpauth://totp/Trivet%20storage:ada%40example.com?secret=JBSWY3DPEHPK3PXP
             */
            otpauth_url: string;
        };
        TotpStatus: {
            enabled: boolean;
        };
        Trash: {
            objects: components["schemas"]["TrashedObject"][];
            /**
             * @description The `cursor` of the next page; null on the last one
             * @example cGhvdG9zLzIwMjYvaGFyYm91ci5qcGc
             */
            next_cursor: string | null;
        };
        TrashedObject: {
            /** Format: uuid */
            id: string;
            /** @example photos/2026/harbour.jpg */
            object_key: string;
            /**
             * Format: uuid
             * @description Of its content, for `DELETE …/versions`
             */
            version_id: string;
            /** @example image/jpeg */
            content_type: string;
            /** @example 482133 */
            size_bytes: number;
            /** @example 9bb58f26192e4ba00f01e2e7b136bbd8 */
            etag: string;
            /** Format: date-time */
            deleted_at: string;
            /**
             * Format: date-time
             * @description When it goes for good by the rules of its bucket; null: never
             */
            expires_at: string | null;
            /** @description Whether recovering its key brings it back: no other object of the key came after it */
            is_recoverable: boolean;
        };
        UpdatedObject: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            bucket_id: string;
            /** @example photos/2026/harbour.jpg */
            object_key: string;
            /** @example image/jpeg */
            content_type: string;
            /** @example 482133 */
            size_bytes: number;
            /** @example 9bb58f26192e4ba00f01e2e7b136bbd8 */
            etag: string;
            /** @example false */
            is_deleted: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description Custom pairs
             * @example {
             *       "camera": "north-pier"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description In lists, of deleted objects: when it goes for good by the rules of its bucket; null: never
             */
            expires_at?: string | null;
            /**
             * @example moved
             * @enum {string}
             */
            reason: "overwritten" | "restored" | "moved" | "tagged";
            /**
             * @description Where a moved object was, if you may read there
             * @example {
             *       "bucket_id": "0195941e-2a7f-7c55-b1d4-08e3f7a6c912",
             *       "object_key": "incoming/harbour.jpg"
             *     }
             */
            previous?: {
                /** Format: uuid */
                bucket_id: string;
                /** @example photos/2026/harbour.jpg */
                object_key: string;
            };
        };
        UploadedBatch: {
            uploaded: components["schemas"]["UploadedInBatch"][];
            /** @example [] */
            errors: components["schemas"]["RefusedInBatch"][];
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        UploadedInBatch: {
            /** @example notes/2026/harbour.txt */
            key: string;
            /** @example 13 */
            sizeBytes: number;
            /** @example 9bb58f26192e4ba00f01e2e7b136bbd8 */
            etag: string;
        };
        UsageDay: {
            /**
             * Format: date
             * @example 2026-01-31
             */
            day: string;
            /** @description At the end of the day, or now */
            stored_bytes: number;
            /**
             * @description At the end of the day, or now
             * @example 1284
             */
            object_count: number;
            uploaded_bytes: number;
            downloaded_bytes: number;
            /**
             * @description What was sent in the month of this day until its end
             * @example 2147483648
             */
            bandwidth_used_bytes: number;
        };
        UsageHistory: {
            /**
             * Format: date
             * @example 2026-01-31
             */
            from: string;
            /**
             * Format: date
             * @example 2026-01-31
             */
            to: string;
            /** @example 107374182400 */
            storage_quota_bytes: number;
            /**
             * @description For each month
             * @example 536870912000
             */
            bandwidth_quota_bytes: number;
            days: components["schemas"]["UsageDay"][];
        };
        UsageSummary: {
            /** @example 9663676416 */
            storage_used_bytes: number;
            /** @example 107374182400 */
            storage_quota_bytes: number;
            /**
             * @description Objects, live and deleted, versions, delete markers and pending uploads
             * @example 1310
             */
            retained_objects: number;
            /** @example 13107200 */
            object_quota: number;
            /** @example 2147483648 */
            bandwidth_used_bytes: number;
            /** @example 1284 */
            object_count: number;
            /** @example 6 */
            bucket_count: number;
        };
        UsageSummaryR: {
            /** @example 9663676416 */
            storageUsedBytes: number;
            /** @example 107374182400 */
            storageQuotaBytes: number;
            /**
             * @description Objects, live and deleted, versions, delete markers and pending uploads
             * @example 1310
             */
            retainedObjects: number;
            /** @example 13107200 */
            objectQuota: number;
            /** @example 2147483648 */
            bandwidthUsedBytes: number;
            /** @example 536870912000 */
            bandwidthQuotaBytes: number;
            /** @example 1284 */
            objectCount: number;
            /** @example 6 */
            bucketCount: number;
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId: string;
        };
        User: {
            /** Format: uuid */
            id: string;
            /** @example Ada Byron */
            full_name: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            totp_enabled: boolean;
            /** Format: date-time */
            created_at: string;
        };
        Version: {
            /** Format: uuid */
            version_id: string;
            /** @example photos/2026/harbour.jpg */
            object_key: string;
            /** @example image/jpeg */
            content_type: string;
            /** @example 482133 */
            size_bytes: number;
            /** @example 9bb58f26192e4ba00f01e2e7b136bbd8 */
            etag: string;
            is_current: boolean;
            /** Format: date-time */
            created_at: string;
            checksum?: components["schemas"]["Checksum"];
            /**
             * Format: date-time
             * @description In lists, of old versions: when it goes for good by the rules of its bucket; null: never
             */
            expires_at?: string | null;
        };
        VersionChoice: {
            /** Format: uuid */
            versionId: string;
        };
        VersionListR: {
            /** @example 1284 */
            total: number;
            versions: components["schemas"]["VersionR"][];
            /** @example 01JPA3V7KQ8ZC5T4 */
            requestId?: string;
        };
        VersionR: {
            /** Format: uuid */
            versionId: string;
            /** @example photos/2026/harbour.jpg */
            objectKey: string;
            /** @example image/jpeg */
            contentType: string;
            /** @example 482133 */
            sizeBytes: number;
            /** @example 9bb58f26192e4ba00f01e2e7b136bbd8 */
            etag: string;
            isCurrent: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description In lists, of old versions: when it goes for good by the rules of its bucket; null: never
             */
            expiresAt?: string | null;
        };
        Webhook: {
            /**
             * Format: uuid
             * @example 019a8c1e-7d20-7b3a-9c4e-5f60718293a4
             */
            id: string;
            /** @example https://thumbnails.example.com/hooks/trivet */
            url: string;
            /**
             * @example [
             *       "object.*"
             *     ]
             */
            types: string[];
            /** @example Makes thumbnails of new photos */
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
                /** @example survey-photos */
                name: string;
            } | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookChange: {
            /** @example https://thumbnails.example.com/hooks/trivet */
            url?: string;
            /**
             * @example [
             *       "object.*"
             *     ]
             */
            types?: string[];
            /** @example Makes thumbnails of new photos */
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
                 *       "message": "email must be an email address",
                 *       "error": "email must be an email address",
                 *       "reason": null,
                 *       "code": "invalid_input",
                 *       "details": [
                 *         {
                 *           "field": "email",
                 *           "reason": "must be an email address"
                 *         }
                 *       ],
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "Unauthorized",
                 *       "error": "Unauthorized",
                 *       "reason": "This token has expired: sign in again",
                 *       "code": "unauthorized",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "Forbidden",
                 *       "error": "Forbidden",
                 *       "reason": null,
                 *       "code": "forbidden",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "Not found",
                 *       "error": "Not found",
                 *       "reason": null,
                 *       "code": "not_found",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "The body did not arrive in time.",
                 *       "error": "The body did not arrive in time.",
                 *       "reason": null,
                 *       "code": "timeout",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "The request contradicts the current state, or a request with the same Idempotency-Key is still running.",
                 *       "error": "The request contradicts the current state, or a request with the same Idempotency-Key is still running.",
                 *       "reason": null,
                 *       "code": "conflict",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "This was removed and will not come back.",
                 *       "error": "This was removed and will not come back.",
                 *       "reason": null,
                 *       "code": "bad_request",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "A condition in `If-Match`, `If-None-Match` or `If-Unmodified-Since` does not hold.",
                 *       "error": "A condition in `If-Match`, `If-None-Match` or `If-Unmodified-Since` does not hold.",
                 *       "reason": null,
                 *       "code": "precondition_failed",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "The body, or what would be stored, is larger than a limit allows.",
                 *       "error": "The body, or what would be stored, is larger than a limit allows.",
                 *       "reason": null,
                 *       "code": "too_large",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "The body has another media type than this operation reads, or is compressed.",
                 *       "error": "The body has another media type than this operation reads, or is compressed.",
                 *       "reason": null,
                 *       "code": "unsupported_media_type",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The content has no bytes in this range. */
        Refused416: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The content has no bytes in this range.",
                 *       "error": "The content has no bytes in this range.",
                 *       "reason": null,
                 *       "code": "range_not_satisfiable",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "Too many requests, try again in 12 seconds",
                 *       "error": "Too many requests, try again in 12 seconds",
                 *       "reason": null,
                 *       "code": "rate_limited",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "A fault of the server, which is in its log under the request id.",
                 *       "error": "A fault of the server, which is in its log under the request id.",
                 *       "reason": null,
                 *       "code": "internal_error",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "Service temporarily unavailable",
                 *       "error": "Service temporarily unavailable",
                 *       "reason": null,
                 *       "code": "unavailable",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
                 *       "message": "The server has no room for more content at the moment.",
                 *       "error": "The server has no room for more content at the moment.",
                 *       "reason": null,
                 *       "code": "insufficient_storage",
                 *       "details": null,
                 *       "requestId": "01JPA3V7KQ8ZC5T4"
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
         * @description `1`: the request comes from the console, so the cookie of its session counts.
         * @example 1
         */
        "X-Trivet-Console": "1";
        /**
         * @description Streams only: the last event that was received. It goes before `after`.
         * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
         */
        "Last-Event-ID": string;
        /**
         * @description A part of the content, such as `bytes=0-1023`.
         * @example bytes=0-1023
         */
        Range: string;
        /**
         * @description Sends the range only if the content still has this entity tag or date; otherwise all of it.
         * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
         */
        "If-Range": string;
        /**
         * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
         * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
         */
        "If-None-Match": string;
        /**
         * @description Entity tags: refused with 412 unless the content has one of them.
         * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
         */
        "If-Match": string;
        /**
         * @description An HTTP date: 304 if the content has not changed since.
         * @example Sat, 14 Mar 2026 09:26:53 GMT
         */
        "If-Modified-Since": string;
        /**
         * @description An HTTP date: refused with 412 if the content has changed since.
         * @example Sat, 14 Mar 2026 09:26:53 GMT
         */
        "If-Unmodified-Since": string;
        /**
         * @description The MD5 digest of the body in Base64; a body with another digest is refused.
         * @example XUFAKrxLKna5cZ2REBfFkg==
         */
        "Content-MD5": string;
        /**
         * @description Digests of the body as in RFC 9530 (`sha-256`, `sha-512`); a body with another digest is refused.
         * @example sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:
         */
        "Content-Digest": string;
        /**
         * @description Kept with the object, and sent with its downloads.
         * @example public, max-age=86400
         */
        "Cache-Control": string;
        /**
         * @description Kept with the object, and sent with its downloads.
         * @example attachment; filename="report.pdf"
         */
        "Content-Disposition": string;
        /**
         * @description How the body is encoded. Kept with the object, and sent with its downloads.
         * @example gzip
         */
        "Content-Encoding": string;
        /**
         * @description Kept with the object, and sent with its downloads.
         * @example en-GB
         */
        "Content-Language": string;
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
        /** @description `bytes`: ranges can be asked for. */
        "Accept-Ranges": string;
        /** @description Which bytes of how many these are. */
        "Content-Range": string;
        /** @description The name of the file. */
        "Content-Disposition": string;
        /** @description Who may keep the content for how long: as sent with the upload, otherwise decided by the server. */
        "Cache-Control": string;
        /** @description As sent with the upload. */
        "Content-Encoding": string;
        /** @description As sent with the upload. */
        "Content-Language": string;
        /** @description The cookie of the session, or that it is deleted. */
        "Set-Cookie": string;
        /** @description The path of what was created. */
        Location: string;
        /** @description The next page, as `rel="next"`; missing on the last one. */
        Link: string;
        /** @description The `cursor` of the next page; missing on the last one. */
        "X-Next-Cursor": string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthResponse"];
                };
            };
            400: components["responses"]["Refused400"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
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
                    "application/json": components["schemas"]["AuthResponse"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `1`: the request comes from the console, so the cookie of its session counts.
                 * @example 1
                 */
                "X-Trivet-Console"?: components["parameters"]["X-Trivet-Console"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description Done; there is no content */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    openSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSession"];
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
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    closeSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `1`: the request comes from the console, so the cookie of its session counts.
                 * @example 1
                 */
                "X-Trivet-Console"?: components["parameters"]["X-Trivet-Console"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no content */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getAccount: {
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
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listApiKeys: {
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
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
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
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    revokeApiKey: {
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
                        revoked: boolean;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listMembers: {
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
                    "application/json": components["schemas"]["Member"][];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    addMember: {
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
                "application/json": components["schemas"]["NewMember"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
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
                        removed: boolean;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberChange"];
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
                    "application/json": components["schemas"]["Member"];
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
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationChange"];
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
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
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
                    "application/json": components["schemas"]["Ok"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getTotpStatus: {
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
                    "application/json": components["schemas"]["TotpStatus"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    switchTotpOff: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TotpCode"];
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
                    "application/json": components["schemas"]["Ok"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    setUpTotp: {
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
                    "application/json": components["schemas"]["TotpSetup"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            409: components["responses"]["Refused409"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    verifyTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TotpCode"];
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
                    "application/json": components["schemas"]["Ok"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listBuckets: {
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
                    "application/json": components["schemas"]["Bucket"][];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createBucket: {
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
                "application/json": components["schemas"]["NewBucket"];
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
                    "application/json": components["schemas"]["Bucket"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getBucket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bucketId: string;
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
                    "application/json": components["schemas"]["Bucket"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    deleteBucket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bucketId: string;
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
                        /** @example true */
                        deleted: boolean;
                        /** @example 01JPA3V7KQ8ZC5T4 */
                        requestId?: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    updateBucket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bucketId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BucketChange"];
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
                    "application/json": components["schemas"]["Bucket"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getPolicy: {
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
                bucketId: string;
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
                    "application/json": components["schemas"]["PolicyStatement"][];
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
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    replacePolicy: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags: refused with 412 unless the content has one of them.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                bucketId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPolicy"];
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyStatement"][];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            412: components["responses"]["Refused412"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    simulatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bucketId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyQuestion"];
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
                    "application/json": components["schemas"]["PolicyAnswer"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getLifecycle: {
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
                bucketId: string;
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
                    "application/json": components["schemas"]["Lifecycle"];
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
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    replaceLifecycle: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags: refused with 412 unless the content has one of them.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                bucketId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLifecycle"];
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lifecycle"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            412: components["responses"]["Refused412"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    deleteLifecycle: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags: refused with 412 unless the content has one of them.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                bucketId: string;
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
                        /** @example true */
                        deleted: boolean;
                        /** @example 01JPA3V7KQ8ZC5T4 */
                        requestId?: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listObjects: {
        parameters: {
            query?: {
                /** @example photos/2026/ */
                prefix?: string;
                /** @description A part of the key */
                search?: string;
                /** @description Groups deeper keys into folders, such as `/` */
                delimiter?: string;
                /** @description At most 1000; Form R: 100 if not given */
                limit?: number;
                offset?: number;
                /** @description From `X-Next-Cursor` of the page before */
                cursor?: string;
                includeDeleted?: boolean;
                /** @description Form R: `false` leaves out the total, which takes time in a large folder */
                count?: boolean;
            };
            header?: never;
            path: {
                bucketId: string;
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
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"][];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listVersions: {
        parameters: {
            query: {
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
            };
            header?: never;
            path: {
                bucketId: string;
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
                    "application/json": components["schemas"]["Version"][];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    deleteVersion: {
        parameters: {
            query: {
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
                versionId: string;
            };
            header?: never;
            path: {
                bucketId: string;
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
                        /** @example true */
                        deleted: boolean;
                        /** @example 01JPA3V7KQ8ZC5T4 */
                        requestId?: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    downloadObject: {
        parameters: {
            query?: {
                versionId?: string;
                /** @description false: to be shown in the browser */
                download?: boolean;
            };
            header?: {
                /**
                 * @description A part of the content, such as `bytes=0-1023`.
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description Sends the range only if the content still has this entity tag or date; otherwise all of it.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-Range"?: components["parameters"]["If-Range"];
                /**
                 * @description Entity tags: refused with 412 unless the content has one of them.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
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
                /**
                 * @description An HTTP date: refused with 412 if the content has changed since.
                 * @example Sat, 14 Mar 2026 09:26:53 GMT
                 */
                "If-Unmodified-Since"?: components["parameters"]["If-Unmodified-Since"];
            };
            path: {
                bucketId: string;
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes */
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
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The bytes */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
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
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            416: components["responses"]["Refused416"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    putObject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The MD5 digest of the body in Base64; a body with another digest is refused.
                 * @example XUFAKrxLKna5cZ2REBfFkg==
                 */
                "Content-MD5"?: components["parameters"]["Content-MD5"];
                /**
                 * @description Digests of the body as in RFC 9530 (`sha-256`, `sha-512`); a body with another digest is refused.
                 * @example sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:
                 */
                "Content-Digest"?: components["parameters"]["Content-Digest"];
                /**
                 * @description Entity tags: refused with 412 unless the content has one of them.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Kept with the object, and sent with its downloads.
                 * @example public, max-age=86400
                 */
                "Cache-Control"?: components["parameters"]["Cache-Control"];
                /**
                 * @description Kept with the object, and sent with its downloads.
                 * @example attachment; filename="report.pdf"
                 */
                "Content-Disposition"?: components["parameters"]["Content-Disposition"];
                /**
                 * @description How the body is encoded. Kept with the object, and sent with its downloads.
                 * @example gzip
                 */
                "Content-Encoding"?: components["parameters"]["Content-Encoding"];
                /**
                 * @description Kept with the object, and sent with its downloads.
                 * @example en-GB
                 */
                "Content-Language"?: components["parameters"]["Content-Language"];
            };
            path: {
                bucketId: string;
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
            };
            cookie?: never;
        };
        /** @description Any bytes; `Content-Type` says what they are. */
        requestBody?: {
            content: {
                "application/octet-stream": string;
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"];
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            412: components["responses"]["Refused412"];
            413: components["responses"]["Refused413"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
            507: components["responses"]["Refused507"];
        };
    };
    deleteObject: {
        parameters: {
            query?: {
                /** @description true: for good, with its versions and whatever was deleted before */
                permanent?: boolean;
            };
            header?: {
                /**
                 * @description Entity tags: refused with 412 unless the content has one of them.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                bucketId: string;
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
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
                    "application/json": components["schemas"]["DeletedObject"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    deleteObjects: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bucketId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyList"];
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
                    "application/json": components["schemas"]["BatchResult"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    recoverObject: {
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
                bucketId: string;
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
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
                    "application/json": components["schemas"]["RecoveredObject"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    copyObject: {
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
                bucketId: string;
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Destination"];
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
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"];
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
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"];
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
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    moveObject: {
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
                bucketId: string;
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Destination"];
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
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"];
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
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"];
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
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    restoreVersion: {
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
                bucketId: string;
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VersionChoice"];
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
                    "application/json": components["schemas"]["Object"];
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
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getObjectTags: {
        parameters: {
            query: {
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
                versionId?: string;
            };
            header?: never;
            path: {
                bucketId: string;
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
                    "application/json": components["schemas"]["ObjectTags"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    replaceObjectTags: {
        parameters: {
            query: {
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
                versionId?: string;
            };
            header?: never;
            path: {
                bucketId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTags"];
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
                    "application/json": components["schemas"]["ObjectTags"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    deleteObjectTags: {
        parameters: {
            query: {
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
                versionId?: string;
            };
            header?: never;
            path: {
                bucketId: string;
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
                    "application/json": components["schemas"]["ObjectTags"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listTrash: {
        parameters: {
            query?: {
                /** @description A part of the key */
                search?: string;
                /** @description 100 if not given */
                limit?: number;
                /** @description From `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                bucketId: string;
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
                    "application/json": components["schemas"]["Trash"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    uploadObjects: {
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
                bucketId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjectBatch"];
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
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedBatch"];
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
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
            507: components["responses"]["Refused507"];
        };
    };
    createSignedUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bucketId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SigningRequest"];
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
                    "application/json": components["schemas"]["SignedUrl"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    downloadPublicObject: {
        parameters: {
            query?: {
                signature?: string;
                /** @description Unix seconds */
                expires?: string;
                method?: string;
                maxBytes?: string;
                contentType?: string;
                versionId?: string;
                /** @description false: to be shown in the browser */
                download?: boolean;
            };
            header?: {
                /**
                 * @description A part of the content, such as `bytes=0-1023`.
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description Sends the range only if the content still has this entity tag or date; otherwise all of it.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-Range"?: components["parameters"]["If-Range"];
                /**
                 * @description Entity tags: refused with 412 unless the content has one of them.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
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
                /**
                 * @description An HTTP date: refused with 412 if the content has changed since.
                 * @example Sat, 14 Mar 2026 09:26:53 GMT
                 */
                "If-Unmodified-Since"?: components["parameters"]["If-Unmodified-Since"];
            };
            path: {
                bucketId: string;
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes */
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
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The bytes */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
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
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            412: components["responses"]["Refused412"];
            416: components["responses"]["Refused416"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    uploadWithSignedUrl: {
        parameters: {
            query?: {
                signature?: string;
                /** @description Unix seconds */
                expires?: string;
                method?: string;
                maxBytes?: string;
                contentType?: string;
                versionId?: string;
                /** @description false: to be shown in the browser */
                download?: boolean;
            };
            header?: {
                /**
                 * @description The MD5 digest of the body in Base64; a body with another digest is refused.
                 * @example XUFAKrxLKna5cZ2REBfFkg==
                 */
                "Content-MD5"?: components["parameters"]["Content-MD5"];
                /**
                 * @description Digests of the body as in RFC 9530 (`sha-256`, `sha-512`); a body with another digest is refused.
                 * @example sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:
                 */
                "Content-Digest"?: components["parameters"]["Content-Digest"];
                /**
                 * @description Entity tags: refused with 412 unless the content has one of them.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
                /**
                 * @description Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.
                 * @example "9bb58f26192e4ba00f01e2e7b136bbd8"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Kept with the object, and sent with its downloads.
                 * @example public, max-age=86400
                 */
                "Cache-Control"?: components["parameters"]["Cache-Control"];
                /**
                 * @description Kept with the object, and sent with its downloads.
                 * @example attachment; filename="report.pdf"
                 */
                "Content-Disposition"?: components["parameters"]["Content-Disposition"];
                /**
                 * @description How the body is encoded. Kept with the object, and sent with its downloads.
                 * @example gzip
                 */
                "Content-Encoding"?: components["parameters"]["Content-Encoding"];
                /**
                 * @description Kept with the object, and sent with its downloads.
                 * @example en-GB
                 */
                "Content-Language"?: components["parameters"]["Content-Language"];
            };
            path: {
                bucketId: string;
                /** @example photos/2026/harbour.jpg */
                objectKey: string;
            };
            cookie?: never;
        };
        /** @description Any bytes; `Content-Type` says what they are. */
        requestBody?: {
            content: {
                "application/octet-stream": string;
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
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            412: components["responses"]["Refused412"];
            413: components["responses"]["Refused413"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
            507: components["responses"]["Refused507"];
        };
    };
    listUploads: {
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
                    "application/json": components["schemas"]["MultipartSession"][];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    initiateUpload: {
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
                bucketId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMultipart"];
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
                    "application/json": components["schemas"]["MultipartSession"];
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
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bucketId: string;
                uploadId: string;
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
                    "application/json": components["schemas"]["SessionWithParts"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    abortUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bucketId: string;
                uploadId: string;
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
                        aborted: boolean;
                        /** @example 01JPA3V7KQ8ZC5T4 */
                        requestId?: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listParts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bucketId: string;
                uploadId: string;
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
                    "application/json": components["schemas"]["PartList"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    completeUpload: {
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
                bucketId: string;
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Completion"];
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
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"];
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
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"];
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
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getUsageSummary: {
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
                    "application/json": components["schemas"]["UsageSummary"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getUsageHistory: {
        parameters: {
            query?: {
                /** @example 2026-01-31 */
                from?: string;
                /** @example 2026-01-31 */
                to?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageHistory"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listAuditLogs: {
        parameters: {
            query?: {
                /** @description A part of the object key */
                objectKey?: string;
                /** @description Exactly this action */
                action?: string;
                /** @description What this person did */
                actorUserId?: string;
                /** @description At this time or later */
                from?: string;
                /** @description Before this time */
                to?: string;
                limit?: number;
                offset?: number;
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
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    exportAuditLogs: {
        parameters: {
            query?: {
                /** @description A part of the object key */
                objectKey?: string;
                /** @description Exactly this action */
                action?: string;
                /** @description What this person did */
                actorUserId?: string;
                /** @description At this time or later */
                from?: string;
                /** @description Before this time */
                to?: string;
                /** @description 1: the file begins with a byte order mark, which Excel needs to read it as UTF-8 */
                bom?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line for each entry */
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listAuditFilters: {
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
                    "application/json": components["schemas"]["AuditChoices"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getPlan: {
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
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listTiers: {
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
                    "application/json": components["schemas"]["Tiers"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    purchasePlan: {
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
                "application/json": components["schemas"]["Purchase"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseCreated"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listCharges: {
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
                    "application/json": components["schemas"]["Invoice"][];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    redeemPromo: {
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
                "application/json": components["schemas"]["PromoRedemption"];
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
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromoRedeemed"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    confirmInSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxConfirmation"];
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
                    "application/json": components["schemas"]["PaymentStatus"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getEndpoints: {
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
                    "application/json": components["schemas"]["Endpoints"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
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
                 * @example object.*,bucket.deleted
                 */
                types?: string;
                /** @example object/0195941f-4c1d-7b3e-9a52-6d0c8e2f7a41 */
                subject?: string;
                limit?: number;
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
                        events: components["schemas"]["Event"][];
                        /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                        next: string;
                        /** @example 01JPA3V7KQ8ZC5T4 */
                        requestId?: string;
                    };
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            410: components["responses"]["Refused410"];
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
                        webhooks: components["schemas"]["Webhook"][];
                        /** @example 01JPA3V7KQ8ZC5T4 */
                        requestId?: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
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
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
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
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
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
                        /** @example true */
                        deleted: boolean;
                        /** @example 01JPA3V7KQ8ZC5T4 */
                        requestId?: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
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
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
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
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
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
                    "application/json": components["schemas"]["WebhookTestResult"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                status?: "pending" | "succeeded" | "dead";
                limit?: number;
                offset?: number;
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
                        /** @example 1284 */
                        total: number;
                        deliveries: components["schemas"]["Delivery"][];
                        /** @example 01JPA3V7KQ8ZC5T4 */
                        requestId?: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
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
                    "application/json": components["schemas"]["DeliveryAccepted"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
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
                    "application/json": components["schemas"]["Replayed"];
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
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    uploadObject: {
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
                bucketId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                    /** @description Default: the name of the file. */
                    objectKey?: string;
                    /** @description The same, as Form R calls it. */
                    key?: string;
                    /**
                     * @description A JSON object of text values.
                     * @example {"author":"ada"}
                     */
                    metadata?: string;
                    /** @description `Cache-Control` of downloads. */
                    cacheControl?: string;
                    /** @description `Content-Disposition` of downloads. */
                    contentDisposition?: string;
                    /** @description `Content-Encoding` of downloads. */
                    contentEncoding?: string;
                    /** @description `Content-Language` of downloads. */
                    contentLanguage?: string;
                };
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
                    "application/json": components["schemas"]["Object"];
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
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
            507: components["responses"]["Refused507"];
        };
    };
    uploadPart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bucketId: string;
                uploadId: string;
                /** @example 1 */
                partNumber: number;
            };
            cookie?: never;
        };
        /** @description Any bytes; `Content-Type` says what they are. */
        requestBody?: {
            content: {
                "application/octet-stream": string;
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
                    "application/json": components["schemas"]["Part"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            408: components["responses"]["Refused408"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
            507: components["responses"]["Refused507"];
        };
    };
    receivePaymentEvent: {
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
                    "application/json": components["schemas"]["Received"];
                };
            };
            400: components["responses"]["Refused400"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    onBucketCreated: {
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
                    type: "bucket.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Bucket"];
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
    onBucketUpdated: {
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
                    type: "bucket.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Bucket"];
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
    onBucketDeleted: {
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
                    type: "bucket.deleted";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Bucket"];
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
    onObjectCreated: {
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
                    type: "object.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["CreatedObject"];
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
    onObjectUpdated: {
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
                    type: "object.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["UpdatedObject"];
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
    onObjectDeleted: {
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
                    type: "object.deleted";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Object"];
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
    onObjectRecovered: {
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
                    type: "object.recovered";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Object"];
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
    onObjectPurged: {
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
                    type: "object.purged";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["PurgedObject"];
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
    onPolicyUpdated: {
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
                    type: "policy.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["ChangedPolicy"];
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
    onMemberAdded: {
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
                    type: "member.added";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Member"];
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
    onMemberUpdated: {
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
                    type: "member.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Member"];
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
    onMemberRemoved: {
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
                    type: "member.removed";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Member"];
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
    onApiKeyCreated: {
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
                    type: "api_key.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["ApiKey"];
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
    onApiKeyRevoked: {
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
                    type: "api_key.revoked";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["ApiKey"];
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
    onPlanUpdated: {
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
                    type: "plan.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Plan"];
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
    onQuotaWarning: {
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
                    type: "quota.warning";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["QuotaWarning"];
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
