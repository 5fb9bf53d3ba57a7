// Generated from docs/openapi/inventory.json by `npm run openapi`.

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
         * Create a company
         * @description Creates a company with its first user, who is an Admin, and returns a token. The company starts with a default warehouse (`MAIN`) and a subscription of 30 days. An email that is in use is refused with 409. At most 10 requests a minute from one address.
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
         * @description Exchanges an email and password for a token that is valid for 8 hours. A banned user is refused with 403. After 5 failures within 15 minutes the account is locked for a while; an address may try 10 times a minute.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find out who is signed in to the console
         * @description Returns the account of the session that the cookie of this request belongs to, or 204 if it has none or it has ended. Unlike `GET /api/auth/me` it refuses nobody, so a page can begin with it.
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
         * @description Sets a new password with the token from the reset mail. A token works once, within an hour; an invalid, expired or used one returns 400. Every session of the account ends.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
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
         * @description Sets a new password after checking the current one. Every other session ends; the response has a new token, with which this one continues.
         */
        patch: operations["changePassword"];
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current account
         * @description Returns the user that the token belongs to and their company.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your profile
         * @description Changes your name, which movements and timelines show beside what you did.
         */
        patch: operations["changeProfile"];
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Returns everybody in the company with their role and whether they are banned. Admins only.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Add a user
         * @description Adds a colleague with the role Admin, Manager or Staff. Staff read everything but users and API keys, and work with orders and customers; Managers also change products, stock and purchasing. Admins only. An email that is in use is refused with 409.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
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
         * Update a user
         * @description Changes a user's role, or bans or unbans them. A banned user's tokens and API keys are refused. The last Admin can be neither demoted nor banned. Admins only.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get settings
         * @description Returns the company's settings: its time zone, which decides when a day begins, and what happens to orders for stock that is not there.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update settings
         * @description Changes the settings that are given. With `oversell_policy: reject`, an order for more than is available is refused with 400; with `backorder`, the default, the missing units wait for stock. Admins only.
         */
        patch: operations["changeSettings"];
        trace?: never;
    };
    "/api/company": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the company
         * @description Returns the name of the company and until when its subscription lasts.
         */
        get: operations["getCompany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename the company
         * @description Changes the name of the company, which papers and the console show. Admins only.
         */
        patch: operations["changeCompany"];
        trace?: never;
    };
    "/api/warehouses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List warehouses
         * @description Returns all warehouses with the number of SKUs in each and the value of its stock. Exactly one of them is the default.
         */
        get: operations["listWarehouses"];
        put?: never;
        /**
         * Create a warehouse
         * @description Adds a warehouse. Its code is unique in the company; one that exists is refused with 409. With `is_default` it takes over from the present default. Admins only.
         */
        post: operations["createWarehouse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/warehouses/{id}": {
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
         * Update a warehouse
         * @description Changes the fields that are given. With `is_default: true` it takes over from the present default. A code that exists is refused with 409. Admins only.
         */
        patch: operations["changeWarehouse"];
        trace?: never;
    };
    "/api/products/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List categories
         * @description Returns all categories with the number of products in each. `parent_id` makes a tree of them.
         */
        get: operations["listCategories"];
        put?: never;
        /**
         * Create a category
         * @description Adds a category, below another one if `parent_id` is given. Admins and Managers may do this.
         */
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Update a category
         * @description Renames a category or moves it below another one. A category cannot be moved below itself or one of its own subcategories. Admins and Managers may do this.
         */
        put: operations["updateCategory"];
        post?: never;
        /**
         * Delete a category
         * @description Deletes a category. Its products stay, without a category. Admins and Managers may do this.
         */
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products
         * @description Returns products, newest first or as `sort` says, 50 on a page by default and at most 200. `search` matches parts of the name, the SKU and the barcode, and begins with the product that has exactly this barcode or SKU; a GTIN is found with or without leading zeros. `category` and `active` filter.
         */
        get: operations["listProducts"];
        put?: never;
        /**
         * Create a product
         * @description Adds a product and an empty stock row for it in the default warehouse. SKUs are unique in the company; one that exists is refused with 409. Prices have at most two decimals and may be numbers or strings. Admins and Managers may do this.
         */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a product
         * @description Returns a product with its images, its category and its stock in each warehouse.
         */
        get: operations["getProduct"];
        /**
         * Replace a product
         * @description Replaces a product; optional fields that are left out are reset. `tracking_type` cannot change while there is stock (400). Admins and Managers may do this.
         */
        put: operations["replaceProduct"];
        post?: never;
        /**
         * Delete a product
         * @description Deletes a product for good and writes its stock off. Past orders and movements keep its SKU and name, and the SKU is free again. While an order or purchase order is open on it, the request is refused with 409. Admins only.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        /**
         * Change a product
         * @description Changes the given fields of a product and nothing else. `is_active` takes it off sale or puts it back: products that are off sale are not listed in the external API. `tracking_type` cannot change while there is stock (400). Admins and Managers may do this.
         */
        patch: operations["changeProduct"];
        trace?: never;
    };
    "/api/products/{id}/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a product image
         * @description Adds an image by its web address; nothing is downloaded. The first image of a product is always its primary one. Admins and Managers may do this.
         */
        post: operations["addProductImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/images/{imageId}": {
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
         * Remove a product image
         * @description Removes an image from a product. Admins and Managers may do this.
         */
        delete: operations["deleteProductImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export products
         * @description Returns all products as CSV (RFC 4180, UTF-8). Importing the file again changes nothing. Values that a spreadsheet would run as formulas are made harmless.
         */
        get: operations["exportProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import products
         * @description Adds and updates products from CSV, recognised by SKU. Good lines are applied and bad ones reported with their line number. With `dry_run=true` everything is checked and nothing changes. Admins and Managers may do this.
         */
        post: operations["importProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stock
         * @description Returns stock by product and warehouse: units on hand, reserved for orders, available and incoming, and the reorder level. `low_stock=true` returns only rows at or below their reorder level; `state=low` leaves out those where nothing is left, and `state=out` returns only those. `search` matches parts of the name, the SKU and the barcode.
         */
        get: operations["listInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inventory/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get stock summary
         * @description Returns the number of SKUs, the value of all stock, how many rows are low or out of stock, and the same by warehouse.
         */
        get: operations["getInventorySummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inventory/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stock alerts
         * @description Returns the stock rows whose quantity is at or below their reorder level.
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inventory/movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stock movements
         * @description Returns the stock ledger, newest first. Every change of a quantity on hand is one signed movement, so the movements of a product in a warehouse always add up to its quantity. Filter by product, warehouse, type and date.
         */
        get: operations["listMovements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inventory/{product_id}/{warehouse_id}/movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a quantity
         * @description Returns what a warehouse holds of a product, and the movements that add up to it, newest first, each with the balance that it left.
         */
        get: operations["explainStock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inventory/adjust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adjust stock
         * @description Adds units to a warehouse, or removes them with a negative quantity. Stock cannot fall below what is reserved (400). New free units go to waiting backorders first, the oldest order first. Name the `serials` of a serial-tracked product, which are added to stock or scrapped, and, if you like, the `batch_id` of a batch-tracked one. Admins and Managers may do this.
         */
        post: operations["adjustStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inventory/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer stock
         * @description Moves units between two warehouses, with a movement in each. More than is available, or the same warehouse twice, is refused with 400. Name `serials` for serial-tracked products and, if you like, a `batch_id`. Admins and Managers may do this.
         */
        post: operations["transferStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inventory/{product_id}/{warehouse_id}": {
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
         * Set a reorder level
         * @description Sets the quantity at which a product in a warehouse counts as low on stock. It shows up in the alerts and in the reorder suggestions from then on. Admins and Managers may do this.
         */
        patch: operations["setReorderLevel"];
        trace?: never;
    };
    "/api/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stock counts
         * @description Returns counts, newest first. Filter by status and warehouse.
         */
        get: operations["listCounts"];
        put?: never;
        /**
         * Open a stock count
         * @description Opens a session in which people count what a warehouse holds, the default one if none is given, of a category with those below it, or of everything. Every role may count.
         */
        post: operations["openCount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/counts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a stock count
         * @description Returns a count: what is counted, how far it is, and who opened and closed it.
         */
        get: operations["getCount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/counts/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enter what was counted
         * @description Adds to what was counted of products and batches, or replaces it. Several people may enter at once. Products that are tracked by serial number are counted by their `serials`. The response has the lines concerned, without what the ledger says. Every role may count.
         */
        post: operations["enterCount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/counts/{id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List counted lines
         * @description Returns what was counted. While the count is open nobody sees what the ledger said; in review, Admins and Managers see it with the differences, and once it is posted everybody does. `summary` is what all of these lines add up to, at the average costs of now.
         */
        get: operations["listCountLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/counts/{id}/lines/{lineId}": {
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
         * Remove a counted line
         * @description Takes a line out, as if it had not been counted. Every role may do this while the count is open; while it is reviewed, Admins and Managers may.
         */
        delete: operations["deleteCountLine"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/counts/{id}/uncounted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was not counted
         * @description Returns the products of the count that are on hand and have no line. Posting leaves them as they are. How many units are on hand is shown to whoever sees the differences.
         */
        get: operations["listUncounted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/counts/{id}/status": {
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
         * Change a count's status
         * @description Moves a count on: from open to review; from review back to open, or to posted; from either to cancelled. Posting adds a movement for each difference to what the ledger said when the line was counted, so stock may move meanwhile. Reservations that are not covered any more become backorders, the newest first. Any other move is refused with 400. Admins and Managers may do this.
         */
        patch: operations["changeCountStatus"];
        trace?: never;
    };
    "/api/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Returns orders, newest first, 50 on a page by default and at most 200. Filter by status, customer, channel, and date of creation; `search` matches the order number and the customer's name. `from` and `to` are inclusive days in the company's time zone. `to_ship` returns what can be packed now, `backordered` what waits for stock.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Create an order
         * @description Places an order of up to 500 lines and reserves what is available in its warehouse, the default one if none is given. What is not there is backordered and reserved as stock arrives; with the setting `oversell_policy: reject` the order is refused with 400 instead. Order numbers have no gaps. Every role may place orders.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order
         * @description Returns an order with its lines: how many units were ordered, shipped, returned, and still wait for stock.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}/status": {
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
         * Change an order's status
         * @description Moves an order on: from pending to paid, fulfilling or cancelled; from paid to fulfilling or cancelled; from fulfilling to fulfilled or cancelled; from fulfilled to shipped. `fulfilled` ships what is still open, and `cancelled` releases reservations and puts shipped units back. Any other move is refused with 400.
         */
        patch: operations["changeOrderStatus"];
        trace?: never;
    };
    "/api/orders/{id}/fulfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fulfill an order
         * @description Ships units of an order and takes them out of stock. `quantity_fulfilled` is the number of units in this call; more than is open, or than can be taken from stock, is refused with 400 and changes nothing. Without `batch_id` or `serials`, the earliest expiry and the oldest serial numbers go first. Admins and Managers may do this.
         */
        post: operations["fulfillOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}/returns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Return order items
         * @description Takes shipped units back into stock, at the cost they left with. At most what was shipped and not yet returned can come back. Returns lower revenue in the reports when they happen. Admins and Managers may do this.
         */
        post: operations["returnOrderItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get order statistics
         * @description Returns the number of orders, revenue and average value of a period, and the number of orders in each status. The default is the last 30 days. Cancelled orders count only in their own status.
         */
        get: operations["getOrderStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export orders
         * @description Returns orders as CSV (RFC 4180, UTF-8), with the same filters as the list and without pages. Values that a spreadsheet would run as formulas are made harmless.
         */
        get: operations["exportOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count orders by status
         * @description Returns how many orders have each status, how many can be shipped now, and how many wait for stock, under the same filters as the list.
         */
        get: operations["countOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/backorders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List backorders
         * @description Returns the order lines that wait for stock, in the order in which they will be filled, with the units of their product that are on their way to the same warehouse.
         */
        get: operations["listBackorders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order's timeline
         * @description Returns what happened to an order, oldest first, with the units concerned and by whom: that it was placed, what was reserved or backordered, its status, shipments and returns.
         */
        get: operations["getOrderTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers
         * @description Returns customers, newest first unless `sort` says otherwise, 50 on a page by default and at most 200. `search` matches the name, company and email.
         */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Create a customer
         * @description Adds a customer. An email that another customer has is refused with 409. Every role may do this.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer
         * @description Returns a customer with their addresses, the number of their orders and what they have spent. Cancelled orders do not count, and returns are deducted.
         */
        get: operations["getCustomer"];
        /**
         * Replace a customer
         * @description Replaces a customer; optional fields that are left out are reset. Addresses stay. An email that another customer has is refused with 409.
         */
        put: operations["replaceCustomer"];
        post?: never;
        /**
         * Delete a customer
         * @description Deletes a customer and their addresses. Their orders stay and keep the name.
         */
        delete: operations["deleteCustomer"];
        options?: never;
        head?: never;
        /**
         * Change a customer
         * @description Changes the given fields of a customer and nothing else. An email that another customer has is refused with 409.
         */
        patch: operations["changeCustomer"];
        trace?: never;
    };
    "/api/customers/{id}/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a customer address
         * @description Adds a billing or shipping address. A customer has one default of each type; a new default takes over from the earlier one.
         */
        post: operations["addAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers/{id}/addresses/{addressId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace a customer address
         * @description Replaces an address; optional fields that are left out are reset. Orders keep the address that they were placed with.
         */
        put: operations["replaceAddress"];
        post?: never;
        /**
         * Delete a customer address
         * @description Deletes an address. Orders keep the address that they were placed with.
         */
        delete: operations["deleteAddress"];
        options?: never;
        head?: never;
        /**
         * Change a customer address
         * @description Changes the given fields of an address and nothing else. Orders keep the address that they were placed with.
         */
        patch: operations["changeAddress"];
        trace?: never;
    };
    "/api/suppliers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suppliers
         * @description Returns suppliers with their lead times, the number of products bought from each and what is on its way. `search` matches the name and email.
         */
        get: operations["listSuppliers"];
        put?: never;
        /**
         * Create a supplier
         * @description Adds a supplier. Its lead time is used in reorder suggestions. Admins and Managers may do this.
         */
        post: operations["createSupplier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suppliers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a supplier
         * @description Returns a supplier with payment terms, lead time, and what has been ordered in all.
         */
        get: operations["getSupplier"];
        /**
         * Replace a supplier
         * @description Replaces what is known of a supplier; optional fields that are left out are reset. Admins and Managers may do this.
         */
        put: operations["replaceSupplier"];
        post?: never;
        /**
         * Delete a supplier
         * @description Deletes a supplier from whom nothing was ever ordered. One with purchase orders is refused with 409. Admins and Managers may do this.
         */
        delete: operations["deleteSupplier"];
        options?: never;
        head?: never;
        /**
         * Change a supplier
         * @description Changes the given fields of a supplier and nothing else. Admins and Managers may do this.
         */
        patch: operations["changeSupplier"];
        trace?: never;
    };
    "/api/suppliers/purchase-orders/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List purchase orders
         * @description Returns purchase orders, newest first. Filter by status and supplier, or search for a part of the number or the supplier; `due` returns those that are expected today or earlier and have not arrived.
         */
        get: operations["listPurchaseOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suppliers/purchase-orders/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count purchase orders by status
         * @description Returns how many purchase orders have each status, and how many are due, under the same filters as the list.
         */
        get: operations["countPurchaseOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suppliers/purchase-orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a purchase order
         * @description Returns a purchase order with its lines: how many units were ordered, at what cost, and how many have arrived.
         */
        get: operations["getPurchaseOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suppliers/purchase-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a purchase order
         * @description Drafts a purchase order. A line without `unit_cost` takes the product's cost price. Numbers such as `PO-000001` have no gaps. Admins and Managers may do this.
         */
        post: operations["createPurchaseOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suppliers/purchase-orders/{id}/status": {
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
         * Change a purchase order's status
         * @description Marks a draft as ordered, or cancels a purchase order that is draft, ordered or partially received. Received units stay in stock. Any other move is refused with 400. Admins and Managers may do this.
         */
        patch: operations["changePurchaseOrderStatus"];
        trace?: never;
    };
    "/api/suppliers/purchase-orders/{id}/receive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a purchase order
         * @description Takes delivered units into stock at the cost of their line; the order becomes `partial` or `received`. Batch-tracked lines name their batch and expiry, serial-tracked ones their serials. More than was ordered is refused with 400, at its entry of `items`. New free units go to waiting backorders first; the response says to which. Admins and Managers may do this.
         */
        post: operations["receivePurchaseOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inventory/reorder-suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reorder suggestions
         * @description Returns what to order, how much of it, from whom, and why. A product is suggested when what is available and on order does not exceed its reorder level, or what is expected to ship before a delivery could arrive. Demand is that of the last 30 days.
         */
        get: operations["listReorderSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suppliers/purchase-orders/from-suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draft purchase orders from suggestions
         * @description Drafts what is suggested, one purchase order for each supplier and warehouse. `items` chooses suggestions, and may change quantity and supplier. What has no supplier, or is not suggested any more, is skipped and listed. Drafts count as on order, so nothing is drafted twice. Admins and Managers may do this.
         */
        post: operations["draftFromSuggestions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List batches
         * @description Returns batches, newest first or by expiry. Filter by product and warehouse, search by number. `expiring_days` returns those on hand that expire within so many days.
         */
        get: operations["listBatches"];
        put?: never;
        /**
         * Create a batch
         * @description Adds a batch of a batch-tracked product; with a `quantity` it also adds that stock, to the default warehouse unless `warehouse_id` is given. For any other product it is refused with 400. Admins and Managers may do this.
         */
        post: operations["createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batches/expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List expiring batches
         * @description Returns batches on hand that expire within `days` (30 by default) or have already expired, the earliest first.
         */
        get: operations["listExpiringBatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a batch
         * @description Returns a batch with its dates and the units on hand.
         */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a batch
         * @description Corrects the numbers, dates and notes of a batch; what is left out stays as it is. A number that another batch of the product has is refused with 409. Admins and Managers may do this.
         */
        patch: operations["changeBatch"];
        trace?: never;
    };
    "/api/batches/{id}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trace a batch
         * @description Returns where a batch came from and who has received units of it: its purchase orders, movements, orders and customers. Made for recalls.
         */
        get: operations["traceBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/serials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List serial numbers
         * @description Returns serial numbers, newest first. Filter by product, status and warehouse, search by number.
         */
        get: operations["listSerials"];
        put?: never;
        /**
         * Create a serial number
         * @description Takes one unit of a serial-tracked product into stock by its serial number. A number that the product already has is refused with 409. Admins and Managers may do this.
         */
        post: operations["createSerial"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/serials/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a serial number
         * @description Returns a serial number with its product, its warehouse and its status.
         */
        get: operations["getSerial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a serial number's status
         * @description Reserves, releases, sells, takes back or scraps one unit. Selling and scrapping take it out of stock with a movement, and coming back puts it in again. A move that the life cycle does not have is refused with 400. Admins and Managers may do this.
         */
        patch: operations["changeSerial"];
        trace?: never;
    };
    "/api/serials/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a serial number's life
         * @description Returns what happened to a unit, oldest first, and by whom: where it was received from, where it was moved, who it was shipped to, and how it came back.
         */
        get: operations["getSerialTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/serials/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create serial numbers
         * @description Takes many units into stock by their serial numbers, all or none: one number that exists refuses the whole call with 409. Admins and Managers may do this.
         */
        post: operations["createSerials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}/packing-slip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a packing slip
         * @description Returns the lines of an order without prices, for the parcel: what was shipped and what follows.
         */
        get: operations["readPackingSlip"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}/packing-slip.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Print a packing slip
         * @description Returns the packing slip of an order as a file.
         */
        get: operations["getPackingSlip"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}/pick-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the pick list of an order
         * @description Returns what to take from the shelves for an order: the units that are reserved for it.
         */
        get: operations["readPickList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}/pick-list.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Print the pick list of an order
         * @description Returns the pick list of an order as a file.
         */
        get: operations["getPickList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/pick-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pick list for several orders
         * @description Returns what to take from the shelves for up to 100 orders of one warehouse, added up by product. Orders of different warehouses are refused with 400.
         */
        get: operations["readPickListOfOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/pick-list.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Print a pick list for several orders
         * @description Returns the pick list of several orders as a file, with the same refusals.
         */
        get: operations["getPickListOfOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suppliers/purchase-orders/{id}/purchase-order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a purchase order as a paper
         * @description Returns a purchase order for its supplier, with costs and where to deliver.
         */
        get: operations["readPurchaseOrderPaper"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suppliers/purchase-orders/{id}/purchase-order.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Print a purchase order
         * @description Returns a purchase order for its supplier as a file.
         */
        get: operations["getPurchaseOrderPaper"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/label": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a product's label
         * @description Returns a label with name, SKU, price, and the barcode, or the SKU if it has none, as Code 128; as a QR code if Code 128 cannot write it.
         */
        get: operations["readProductLabel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/label.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Print product labels
         * @description Returns the label of a product, as often as wanted, as a file.
         */
        get: operations["getProductLabel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batches/{id}/label": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a batch's label
         * @description Returns a label with product, batch and expiry in a GS1 QR code, or the batch number in a plain one if the product has no GTIN as its barcode.
         */
        get: operations["readBatchLabel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batches/{id}/label.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Print batch labels
         * @description Returns the label of a batch, as often as wanted, as a file.
         */
        get: operations["getBatchLabel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the dashboard
         * @description Returns today at a glance: revenue, orders and units sold, open orders, stock that is low or out, and the latest orders. Today is a day in the company's time zone.
         */
        get: operations["getDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/today": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what needs a hand today
         * @description Returns how many orders can be shipped, how many lines wait for stock, what is low or out, which purchase orders are due and which batches expire, each the total of the list that shows them; revenue, orders and margin of the last 30 days, by day as in the financial report; and the latest orders.
         */
        get: operations["getToday"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/financial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the financial report
         * @description Returns revenue, cost of goods sold and gross margin of a period, in total and by day, week or month. Sales count when units ship, and returns are deducted when they happen. The default period is the last 30 days.
         */
        get: operations["getFinancialReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the inventory valuation
         * @description Returns what the stock is worth at its moving average cost, by product, now or with `as_of` at the end of a day. Past days are calculated from the ledger.
         */
        get: operations["getInventoryReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/cogs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get cost of goods sold
         * @description Returns what was shipped in a period, less returns, by product: units, revenue, cost and margin. The highest cost comes first, unless `sort` says otherwise. The default period is the last 30 days.
         */
        get: operations["getCogsReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/inventory/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the value of the stock over time
         * @description Returns what the stock was worth at the end of each day, week or month of a period, as the valuation as of its last day says. The default period is the last 30 days.
         */
        get: operations["getValueHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/financial/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the financial report
         * @description Returns the periods of the financial report as CSV. RFC 4180, UTF-8; what a spreadsheet would run as a formula is made harmless.
         */
        get: operations["exportFinancialReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/cogs/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export sales by product
         * @description Returns what was sold of each product as CSV, all of them. RFC 4180, UTF-8; what a spreadsheet would run as a formula is made harmless.
         */
        get: operations["exportCogsReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/inventory/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the inventory valuation
         * @description Returns the valuation now or `as_of` the end of a day as CSV, all of it. RFC 4180, UTF-8; what a spreadsheet would run as a formula is made harmless.
         */
        get: operations["exportInventoryReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Returns all keys of the company with their permissions, who made them, and when and how often they were used. The keys themselves are never shown again. Admins and Managers may do this.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates a key for the external API; it is shown only in this response. A key may read, or read and write, and may expire on a day. It is refused while its creator is banned. Admins and Managers may do this.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{id}": {
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
         * @description Revokes a key, which is refused with 401 from the next request on. Revoking cannot be undone. Admins and Managers may do this.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/logs/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API requests
         * @description Returns the requests made with keys, newest first, with their path, status, duration and address; with `failed`, only those that failed. Refused requests of known keys are included. Admins and Managers may do this.
         */
        get: operations["listApiUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/external/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products
         * @description Returns the products on sale. It needs an API key with the `read` permission.
         */
        get: operations["listExternalProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/external/products/{sku}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a product by SKU
         * @description Returns a product with its price and its stock in each warehouse. It needs an API key with the `read` permission.
         */
        get: operations["getExternalProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/external/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stock
         * @description Returns stock by product and warehouse. It needs an API key with the `read` permission.
         */
        get: operations["listExternalInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/external/inventory/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sync stock
         * @description Sets absolute quantities on hand, up to 10,000 in one call. With `expected_quantity`, a row changes only if it still has that quantity. Rows that cannot be set are skipped and listed with the reason, serial-tracked products among them. A count below what is reserved turns the newest reservations into backorders. It needs an API key with the `write` permission, whose creator is Admin or Manager now.
         */
        post: operations["syncInventory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/external/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Returns orders, newest first. Filter by status and by days from and to, inclusive. It needs an API key with the `read` permission.
         */
        get: operations["listExternalOrders"];
        put?: never;
        /**
         * Create an order
         * @description Places an order as the orders of the application are placed; its channel is `api` unless given. Send an `Idempotency-Key`, so that a repeat after a lost connection does not order twice. It needs an API key with the `write` permission.
         */
        post: operations["createExternalOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/external/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers
         * @description Returns customers. It needs an API key with the `read` permission.
         */
        get: operations["listExternalCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit log entries
         * @description Returns who changed what in the company and from which address, newest first, by pages: `next_cursor` is the `cursor` of the next one. `user_id` selects what one person did, `action` one kind of change, `from` and `to` days. An entry with neither user nor key is the operator’s. What stock, orders and serials go through is in their own histories. Admins only.
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
    "/api/inventory/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify stored data
         * @description Checks every invariant of the company's stored data, such as that movements add up to quantities, and returns the violations, with ids where they are about a product, a warehouse or an order. Nothing is changed. Admins only.
         */
        get: operations["verifyInventory"];
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
         *     Types: `product.created`, `product.updated`, `product.deleted`, `stock.changed`, `stock.low`, `stock.out`, `stock.recovered`, `order.created`, `order.updated`, `order.fulfilled`, `order.cancelled`, `order.returned`, `purchase_order.created`, `purchase_order.updated`, `purchase_order.received`, `count.created`, `count.updated`, `count.posted`, `count.cancelled`, `batch.created`, `batch.updated`, `batch.expiring`, `serial.updated`, `customer.created`, `customer.updated`, `supplier.created`, `supplier.updated`, `supplier.deleted`, `warehouse.created`, `warehouse.updated`, `category.created`, `category.updated`, `category.deleted`, `settings.updated`, `company.updated`, `user.created`, `user.updated`, `api_key.created`, `api_key.revoked`.
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
    "/api/external/events": {
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
         *     Types: `product.created`, `product.updated`, `product.deleted`, `stock.changed`, `stock.low`, `stock.out`, `stock.recovered`, `order.created`, `order.updated`, `order.fulfilled`, `order.cancelled`, `order.returned`, `purchase_order.created`, `purchase_order.updated`, `purchase_order.received`, `count.created`, `count.updated`, `count.posted`, `count.cancelled`, `batch.created`, `batch.updated`, `batch.expiring`, `serial.updated`, `customer.created`, `customer.updated`, `supplier.created`, `supplier.updated`, `supplier.deleted`, `warehouse.created`, `warehouse.updated`, `category.created`, `category.updated`, `category.deleted`, `settings.updated`, `company.updated`, `user.created`, `user.updated`, `api_key.created`, `api_key.revoked`.
         */
        get: operations["listExternalEvents"];
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
         * @description Returns all webhooks, oldest first, without their secrets. Admins only.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Events of these types are sent to `url` from now on, signed by the Standard Webhooks specification with `secret`, which is shown only here. The address must be public and use https. At most 20. Admins only.
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
         * @description Returns a webhook and whether it is on, without its secret. Admins only.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Nothing more is sent to it, and its deliveries are removed. Admins only.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Changes what is given. While a webhook is off nothing is queued for it; what it missed can be replayed. Switching it on continues with what was queued before. Admins only.
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
         * @description Returns a new secret. For 24 hours deliveries carry signatures of both. Admins only.
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
         * @description Sends an event of type `webhook.test` at once and returns what the receiver responded, at most 10 times a minute. Admins only.
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
         * @description Returns what was or is to be sent to a webhook, newest first, for 30 days by default. Admins only.
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
         * @description Makes a delivery again, or at once if it waits for its next attempt. Admins only.
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
         * @description Sends the events after one, up to `until` if it is given, once more. Admins only.
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
    "product.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A product was added, also by an import */
        post: operations["onProductCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A product or its images changed */
        post: operations["onProductUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A product was deleted; it is shown as it was before */
        post: operations["onProductDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "stock.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Units came or went: one event for each movement */
        post: operations["onStockChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "stock.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stock in a warehouse is now at or below its reorder level */
        post: operations["onStockLow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "stock.out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Nothing is left in a warehouse */
        post: operations["onStockOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "stock.recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stock in a warehouse is above its reorder level again */
        post: operations["onStockRecovered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order was placed */
        post: operations["onOrderCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order moved on, was shipped in part, or got or lost reserved stock */
        post: operations["onOrderUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.fulfilled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order was shipped whole */
        post: operations["onOrderFulfilled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order was cancelled */
        post: operations["onOrderCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.returned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Units of an order came back */
        post: operations["onOrderReturned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "purchase_order.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A purchase order was drafted */
        post: operations["onPurchaseOrderCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "purchase_order.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A purchase order was placed or cancelled */
        post: operations["onPurchaseOrderUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "purchase_order.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Goods were received, in part or whole */
        post: operations["onPurchaseOrderReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "count.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A stock count was opened */
        post: operations["onCountCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "count.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Something was counted, or a count was reviewed or reopened */
        post: operations["onCountUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "count.posted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A count was posted; each difference is a movement */
        post: operations["onCountPosted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "count.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A count was cancelled; no stock changed */
        post: operations["onCountCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A batch was added, also by goods that were received */
        post: operations["onBatchCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The numbers, dates or notes of a batch changed */
        post: operations["onBatchUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A batch on hand expires within 30 days; once */
        post: operations["onBatchExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "serial.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A serial number was given another status by hand. What stock and orders do to it, their events tell */
        post: operations["onSerialUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A customer was added */
        post: operations["onCustomerCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A customer or their addresses changed. Of one who was deleted only the name is left */
        post: operations["onCustomerUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "supplier.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A supplier was added */
        post: operations["onSupplierCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "supplier.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A supplier changed */
        post: operations["onSupplierUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "supplier.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A supplier was deleted; it is shown as it was before */
        post: operations["onSupplierDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "warehouse.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A warehouse was added */
        post: operations["onWarehouseCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "warehouse.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A warehouse changed, or is the default now or no longer */
        post: operations["onWarehouseUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "category.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A category was added */
        post: operations["onCategoryCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "category.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A category was renamed or moved */
        post: operations["onCategoryUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "category.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A category was deleted; it is shown as it was before */
        post: operations["onCategoryDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "settings.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The time zone or the stock policy changed */
        post: operations["onSettingsUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "company.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The company was renamed, or its subscription renewed */
        post: operations["onCompanyUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A user was added. Admins read this */
        post: operations["onUserCreated"];
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
        /** A user got another role, or was banned or let in again. Admins read this */
        post: operations["onUserUpdated"];
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
        /** An API key was created. Admins and Managers read this */
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
        /** An API key was revoked. Admins and Managers read this */
        post: operations["onApiKeyRevoked"];
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
            tenant: components["schemas"]["Tenant"];
        };
        Address: {
            /** @example 118 */
            id: number;
            /** @example 77 */
            customer_id: number;
            /** @enum {string} */
            type: "billing" | "shipping";
            /** @example 8 Mill Lane */
            line1: string;
            /** @example Leeds */
            city: string;
            /** @example null */
            state: string | null;
            /** @example LS1 4DT */
            postcode: string | null;
            /** @example United Kingdom */
            country: string;
            is_default: boolean;
        };
        AddressChange: {
            /** @enum {string} */
            type?: "billing" | "shipping";
            line1?: string;
            city?: string;
            state?: string | null;
            /** @example LS1 4DT */
            postcode?: string | null;
            country?: string;
            /** @description Takes the place of the default of its type */
            is_default?: boolean;
        };
        Adjustment: {
            /** @example 118 */
            product_id: number;
            /** @example 2 */
            warehouse_id: number;
            /**
             * @description Positive adds, negative removes; never 0
             * @example 24
             */
            quantity: number;
            batch_id?: number | null;
            /**
             * @description The units of a serial-tracked product: new ones to add, or those to scrap
             * @example null
             */
            serials?: string[] | null;
            /** @example Found during the stock take */
            notes?: string | null;
        };
        ApiKey: {
            /** @example 118 */
            id: number;
            /** @example web shop */
            name: string;
            permissions: ("read" | "write")[];
            /**
             * Format: date
             * @description The last day on which it works, in the tenant’s time zone
             * @example 2026-01-31
             */
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @example inv_live_4Tq */
            key_prefix: string;
            /** Format: date-time */
            last_used_at: string | null;
            /** @description Neither revoked nor expired, and whoever created it is not banned */
            is_active: boolean;
            /**
             * @description Why it does not work, if it does not; `banned`: whoever created it is
             * @example active
             * @enum {string}
             */
            status: "active" | "revoked" | "expired" | "banned";
            /** @example Noor Haddad */
            created_by_name: string;
            /**
             * @description In the usage log, which keeps 90 days
             * @example 1840
             */
            requests: number;
        };
        AuditEntry: {
            /** @example 118 */
            id: number;
            /** @example product.updated */
            action: string;
            /** @example product */
            resource_type: string;
            /** @example 7 */
            resource_id: string | null;
            user_id: number | null;
            /** @example Noor Haddad */
            user_name: string | null;
            /** @example 3 */
            api_key_id: number | null;
            /** @example web shop */
            key_name: string | null;
            /** @example 192.0.2.10 */
            ip_address: string;
            details: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
        };
        Backorder: {
            /** @example 501 */
            order_id: number;
            /** @example ORD-000501 */
            order_number: string;
            /** @example 903 */
            order_item_id: number;
            /** @example 77 */
            customer_id: number | null;
            /** @example Priya Raman */
            customer_name: string | null;
            /** @enum {string} */
            status: "pending" | "paid" | "fulfilling" | "fulfilled" | "shipped" | "cancelled";
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            /** @example 140 */
            quantity: number;
            /**
             * @description Units that wait for stock
             * @example 0
             */
            quantity_backordered: number;
            /**
             * @description Units of the product on their way to this warehouse
             * @example 60
             */
            incoming: number;
            /**
             * Format: date
             * @description When the first of them are expected
             * @example 2026-01-31
             */
            expected_date: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Batch: {
            /** @example 118 */
            id: number;
            /** @example 118 */
            product_id: number;
            /** @example OIL-OLIVE-500 */
            sku: string;
            /** @example Olive oil, 500 ml */
            product_name: string;
            /** @example OIL-2026-03 */
            batch_number: string;
            /** @example L7 */
            lot_number: string | null;
            /**
             * Format: date
             * @example 2026-01-31
             */
            manufacture_date: string | null;
            /**
             * Format: date
             * @example 2026-01-31
             */
            expiry_date: string | null;
            /**
             * @description On hand in all warehouses
             * @example 140
             */
            quantity: number;
            stock: {
                /** @example 2 */
                warehouse_id: number;
                /** @example North depot */
                warehouse_name: string;
                /** @example 140 */
                quantity: number;
            }[];
            /** @example null */
            notes: string | null;
            /** Format: date-time */
            created_at: string;
        };
        BatchChange: {
            batch_number?: string;
            lot_number?: string | null;
            /**
             * Format: date
             * @example 2026-01-31
             */
            manufacture_date?: string | null;
            /**
             * Format: date
             * @example 2027-03-31
             */
            expiry_date?: string | null;
            /** @example null */
            notes?: string | null;
        };
        BatchTrace: {
            batch: components["schemas"]["Batch"];
            receipts: {
                /** Format: date-time */
                received_at: string;
                /** @example 140 */
                quantity: number;
                /** @example 2 */
                warehouse_id: number;
                /** @example North depot */
                warehouse_name: string;
                purchase_order_id: number | null;
                /** @example PO-000064 */
                po_number: string | null;
                /** @example 9 */
                supplier_id: number | null;
                /** @example Hollis Kitchenware */
                supplier_name: string | null;
            }[];
            shipments: {
                /** Format: date-time */
                shipped_at: string;
                /** @example 501 */
                order_id: number;
                /** @example ORD-000501 */
                order_number: string;
                /** @example 77 */
                customer_id: number | null;
                /** @example Priya Raman */
                customer_name: string | null;
                /** @example priya@example.com */
                customer_email: string | null;
                /** @example +44 113 496 0199 */
                customer_phone: string | null;
                /** @example 140 */
                quantity: number;
                /** @example 0 */
                quantity_returned: number;
            }[];
            total_received: number;
            /** @description Less what came back */
            total_shipped: number;
            /** @description Adjustments, counts and write-offs */
            other_changes: number;
            /** @example 32 */
            on_hand: number;
        };
        Category: {
            /** @example 118 */
            id: number;
            /** @example Kitchen */
            name: string;
            /** @example null */
            parent_id: number | null;
            /** @example 23 */
            product_count: number;
        };
        CategoryInput: {
            /** @example Kitchen */
            name: string;
            parent_id?: number | null;
        };
        ChosenSuggestion: {
            /** @example 118 */
            product_id: number;
            /** @example 2 */
            warehouse_id: number;
            /** @description Without it, as suggested */
            quantity?: number;
            supplier_id?: number | null;
        };
        CogsItem: {
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /**
             * @description Units shipped, less units returned
             * @example 140
             */
            quantity: number;
            /** @example 1840.00 */
            revenue: string;
            /** @example 618.20 */
            cogs: string;
            /** @example 1221.80 */
            gross_margin: string;
            /** @example 66.40 */
            gross_margin_pct: string;
        };
        CogsReport: {
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
            /** @example 618.20 */
            total_cogs: string;
            summary: components["schemas"]["Figures"];
            items: components["schemas"]["CogsItem"][];
            /**
             * @description Number of items
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 50 */
            limit: number;
            periods?: components["schemas"]["Period"][];
        };
        Company: {
            /**
             * @description What the operator calls the tenant, such as to renew it
             * @example 118
             */
            id: number;
            /** @example Larkspur Goods */
            name: string;
            /**
             * Format: date-time
             * @description From then on everything but sign-in is refused with 402
             */
            subscription_expires_at: string;
            /** Format: date-time */
            created_at: string;
        };
        CompanyChange: {
            /** @example Larkspur Goods */
            name?: string;
        };
        Count: {
            /** @example 12 */
            id: number;
            /** @example CNT-000012 */
            count_number: string;
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            /** @example 5 */
            category_id: number | null;
            /** @example Kitchen */
            category_name: string | null;
            /** @enum {string} */
            status: "open" | "review" | "posted" | "cancelled";
            /** @example null */
            notes: string | null;
            /**
             * @description Products and batches that were counted
             * @example 38
             */
            line_count: number;
            /** @example Noor Haddad */
            created_by_name: string | null;
            /**
             * @description Who posted or cancelled it
             * @example null
             */
            closed_by_name: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @example null
             */
            closed_at: string | null;
        };
        CountEntries: {
            entries: components["schemas"]["CountEntry"][];
        };
        CountEntry: {
            /** @example 118 */
            product_id: number;
            /** @example 138 */
            quantity?: number | null;
            /**
             * @description `add` to what was counted of it so far, or `replace` that
             * @default add
             * @enum {string}
             */
            mode?: "add" | "replace";
            /** @example null */
            batch_number?: string | null;
            /**
             * @description Instead of a quantity, for products that are tracked by serial number
             * @example null
             */
            serials?: string[] | null;
        };
        CountLine: {
            /** @example 118 */
            id: number;
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /** @example null */
            batch_number: string | null;
            /** @example 138 */
            counted_quantity: number;
            /**
             * @description What the ledger said when it was counted. Hidden while people count
             * @example 140
             */
            expected_quantity: number | null;
            /**
             * @description What posting adds to the stock
             * @example -2
             */
            difference: number | null;
            /** @example -7.80 */
            difference_value: string | null;
            /** @example null */
            missing_serials: string[] | null;
            /** @example null */
            found_serials: string[] | null;
            /**
             * @description Who entered last
             * @example Tom Okafor
             */
            counted_by_name: string | null;
            /** Format: date-time */
            counted_at: string;
        };
        CountStatusChange: {
            /**
             * @example review
             * @enum {string}
             */
            status: "open" | "review" | "posted" | "cancelled";
        };
        CountSummary: {
            /** @example 2 */
            units_missing: number;
            /** @example 0 */
            units_found: number;
            /** @example 7.80 */
            value_missing: string;
            /** @example 0.00 */
            value_found: string;
        } | null;
        CreatedApiKey: {
            /** @example 118 */
            id: number;
            /** @example web shop */
            name: string;
            permissions: ("read" | "write")[];
            /**
             * Format: date
             * @description The last day on which it works, in the tenant’s time zone
             * @example 2026-01-31
             */
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Shown this once
             * @example inv_live_4TqZ8mW1xC7vB3nK6jH9sD2f
             */
            key: string;
            /** @example inv_live_4Tq */
            key_prefix: string;
        };
        CreatedOrder: {
            /** @example 501 */
            id: number;
            /** @example ORD-000501 */
            order_number: string;
            /** @enum {string} */
            status: "pending" | "paid" | "fulfilling" | "fulfilled" | "shipped" | "cancelled";
            /** @example 25.00 */
            total_amount: string;
            /** Format: date-time */
            created_at: string;
        };
        CreatedProduct: {
            /** @example 118 */
            id: number;
            /** @example Stoneware mug, blue */
            name: string;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example 12.50 */
            base_price: string;
            /** @example 4.20 */
            cost_price: string | null;
            /**
             * @example none
             * @enum {string}
             */
            tracking_type: "none" | "batch" | "serial";
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
        };
        CreatedPurchaseOrder: {
            /** @example 64 */
            id: number;
            /** @example PO-000064 */
            po_number: string;
            /** @enum {string} */
            status: "draft" | "ordered" | "partial" | "received" | "cancelled";
            /** @example 25.00 */
            total_amount: string;
            /** Format: date-time */
            created_at: string;
        };
        CreatedWebhook: {
            /**
             * Format: uuid
             * @example 019a8c1e-7d20-7b3a-9c4e-5f60718293a4
             */
            id: string;
            /** @example https://images.example.com/mug-blue.jpg */
            url: string;
            /**
             * @example [
             *       "*"
             *     ]
             */
            types: string[];
            /** @example Tells the shop about orders */
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
                /** @example Mira Novak */
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
        Customer: {
            /** @example 118 */
            id: number;
            /** @example Priya Raman */
            name: string;
            /** @example priya@example.com */
            email: string | null;
            /** @example +44 113 496 0199 */
            phone: string | null;
            /** @example Raman & Daughters */
            company: string | null;
            /** @enum {string} */
            customer_type: "retail" | "wholesale" | "b2b";
            /**
             * @description Orders that are not cancelled
             * @example 6
             */
            total_orders: number;
            /**
             * @description What those came to, less returns
             * @example 412.00
             */
            total_spent: string;
            /**
             * Format: date-time
             * @description When the last order was placed
             */
            last_order_at: string | null;
            addresses: components["schemas"]["Address"][];
            /** Format: date-time */
            created_at: string;
        };
        CustomerChange: {
            /** @example Priya Raman */
            name?: string;
            /**
             * Format: email
             * @example priya@example.com
             */
            email?: string | null;
            phone?: string | null;
            company?: string | null;
            /** @enum {string|null} */
            customer_type?: "retail" | "wholesale" | "b2b" | null;
        };
        CustomerInput: {
            /** @example Priya Raman */
            name: string;
            /**
             * Format: email
             * @example priya@example.com
             */
            email?: string | null;
            phone?: string | null;
            company?: string | null;
            /**
             * @default retail
             * @enum {string|null}
             */
            customer_type?: "retail" | "wholesale" | "b2b" | null;
        };
        Dashboard: {
            today: {
                /** @example 1840.00 */
                revenue: string;
                orders: number;
                /** @example 31 */
                units_sold: number;
            };
            /**
             * @description Pending, paid or fulfilling
             * @example 7
             */
            open_orders: number;
            /** @example 4 */
            low_stock_count: number;
            /** @example 1 */
            out_of_stock_count: number;
            recent_orders: components["schemas"]["OrderSummary"][];
        };
        Delivery: {
            /**
             * Format: uuid
             * @example 019a8c1e-7d20-7b3a-9c4e-5f60718293a4
             */
            id: string;
            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
            event_id: string;
            /** @example order.created */
            type: string;
            /** @example 1 */
            attempts: number;
            /** @enum {string} */
            status: "pending" | "succeeded" | "dead";
            /** @example 200 */
            response_status: number | null;
            /** @example 4 */
            response_time_ms: number | null;
            /**
             * @description Its first 1 KiB
             * @example ok
             */
            response_body: string | null;
            /**
             * @description Why it did not succeed
             * @example Only 3 units are available
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
        DraftRequest: {
            warehouse_id?: number | null;
            supplier_id?: number | null;
            /** @description Only these suggestions; without it, all of them */
            items?: components["schemas"]["ChosenSuggestion"][] | null;
        };
        Drafts: {
            purchase_orders: {
                /** @example 118 */
                id: number;
                /** @example PO-000064 */
                po_number: string;
                /** @enum {string} */
                status: "draft" | "ordered" | "partial" | "received" | "cancelled";
                /** @example 25.00 */
                total_amount: string;
                /** Format: date-time */
                created_at: string;
                /** @example 9 */
                supplier_id: number;
                /** @example Hollis Kitchenware */
                supplier_name: string;
                /** @example 2 */
                warehouse_id: number;
                /**
                 * Format: date
                 * @example 2026-01-31
                 */
                expected_date: string;
                /** @example 1 */
                item_count: number;
            }[];
            skipped: {
                /** @example 118 */
                product_id: number;
                /** @example MUG-BLUE-350 */
                sku: string;
                /** @example 2 */
                warehouse_id: number;
                /** @example 20 available (32 on hand - 12 reserved - 0 backordered + 0 on order) is not above the reorder level of 40 */
                reason: string;
            }[];
        };
        Error: {
            /**
             * @description For people.
             * @example Only 3 units are available
             */
            error: string;
            /**
             * @description For programs.
             * @example NORTH
             */
            code: string;
            /**
             * @description The same as the header `X-Request-Id`.
             * @example 01JPA3V7KQ8ZC5T4
             */
            request_id: string;
            /** @description What is wrong with which field of the request, where that is known. */
            details?: {
                field: string;
                /** @example 20 available (32 on hand - 12 reserved - 0 backordered + 0 on order) is not above the reorder level of 40 */
                reason: string;
            }[];
        };
        Event: {
            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
            id: string;
            /** @example order.created */
            type: string;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Kind and id of what it is about
             * @example product 118 in warehouse 2
             */
            subject: string;
            /** @description The resource as it was then; see the webhooks of this reference for each type */
            data: {
                [key: string]: unknown;
            };
        };
        ExpiringBatch: {
            /** @example 118 */
            id: number;
            /** @example 118 */
            product_id: number;
            /** @example OIL-OLIVE-500 */
            sku: string;
            /** @example Olive oil, 500 ml */
            product_name: string;
            /** @example OIL-2026-03 */
            batch_number: string;
            /** @example L7 */
            lot_number: string | null;
            /**
             * Format: date
             * @example 2026-01-31
             */
            manufacture_date: string | null;
            /**
             * Format: date
             * @example 2026-01-31
             */
            expiry_date: string | null;
            /**
             * @description On hand in all warehouses
             * @example 140
             */
            quantity: number;
            stock: {
                /** @example 2 */
                warehouse_id: number;
                /** @example North depot */
                warehouse_name: string;
                /** @example 140 */
                quantity: number;
            }[];
            /** @example null */
            notes: string | null;
            /**
             * @description Negative once it has expired
             * @example 18
             */
            days_until_expiry: number;
            /** Format: date-time */
            created_at: string;
        };
        Figures: {
            /** @example 1840.00 */
            revenue: string;
            /** @example 618.20 */
            cogs: string;
            /** @example 1221.80 */
            gross_margin: string;
            /** @example 66.40 */
            gross_margin_pct: string;
        };
        FilledBackorder: {
            /** @example 501 */
            order_id: number;
            /** @example ORD-000501 */
            order_number: string;
            /** @example 903 */
            order_item_id: number;
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /**
             * @description Units that are now reserved for it
             * @example 140
             */
            quantity: number;
            /**
             * @description Units that it still waits for
             * @example 0
             */
            quantity_backordered: number;
        };
        FinancialReport: {
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
            summary: components["schemas"]["Figures"];
            periods: components["schemas"]["Period"][];
        };
        Finding: {
            /**
             * @description What must hold
             * @example movements add up to quantities
             */
            invariant: string;
            /**
             * @description Where it does not
             * @example product 118 in warehouse 2
             */
            subject: string;
            /**
             * @description What was found instead
             * @example quantity is 140, movements add up to 139
             */
            detail: string;
            /** @example 118 */
            product_id?: number;
            /** @example 2 */
            warehouse_id?: number;
            /** @example 501 */
            order_id?: number;
        };
        Fulfilment: {
            items: {
                /** @example 903 */
                order_item_id: number;
                /** @example 2 */
                quantity_fulfilled: number;
                batch_id?: number | null;
                serials?: string[] | null;
            }[];
        };
        Image: {
            /** @example 118 */
            id: number;
            /** @example https://images.example.com/mug-blue.jpg */
            url: string;
            is_primary: boolean;
        };
        ImportResult: {
            /** @example 12 */
            created: number;
            /** @example 3 */
            updated: number;
            /** @example 51 */
            unchanged: number;
            /**
             * @description Up to 1,000 bad lines; if there are more, a last entry for the line where the import stopped
             * @example [
             *       {
             *         "line": 9,
             *         "error": "base_price must have at most 2 decimals"
             *       }
             *     ]
             */
            failed: {
                line: number;
                /** @example Only 3 units are available */
                error: string;
            }[];
            /** @description With `lines=true`: the first 1,000 lines that create or change a product */
            lines?: components["schemas"]["ImportedLine"][];
        };
        ImportedLine: {
            line: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /**
             * @example updated
             * @enum {string}
             */
            outcome: "created" | "updated";
            /** @description The fields that change; empty for a new product */
            changes: {
                /** @example base_price */
                field: string;
                /**
                 * @description As in an export
                 * @example 12.00
                 */
                before: string | null;
                /**
                 * @description As in an export
                 * @example 12.50
                 */
                after: string | null;
            }[];
        };
        InventoryReport: {
            /**
             * Format: date
             * @example 2026-01-31
             */
            valuation_date: string;
            /** @example 18240.50 */
            total_value: string;
            items: components["schemas"]["ValuedRow"][];
            /**
             * @description Number of items
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 50 */
            limit: number;
        };
        InventoryRow: {
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            /**
             * @description Units on hand
             * @example 140
             */
            quantity: number;
            /**
             * @description Of these, units promised to orders
             * @example 12
             */
            reserved_quantity: number;
            /**
             * @description At or below this there is an alert
             * @example 40
             */
            reorder_level: number;
        };
        Label: {
            /** @example Blue mug */
            title: string;
            lines: string[];
            code: {
                /** @enum {string} */
                symbology: "code128" | "qrcode" | "gs1qrcode";
                /**
                 * @description For GS1 with parentheses, such as `(01)04006381333931(10)OIL-7`
                 * @example ORD-000501
                 */
                text: string;
            };
        };
        Ledger: {
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            /**
             * @description Units on hand
             * @example 140
             */
            quantity: number;
            /**
             * @description Of these, units promised to orders
             * @example 12
             */
            reserved_quantity: number;
            /**
             * @description At or below this there is an alert
             * @example 40
             */
            reorder_level: number;
            /**
             * @description Units on hand that are not reserved
             * @example 20
             */
            available: number;
            /**
             * @description Units ordered from suppliers and not yet received
             * @example 60
             */
            incoming: number;
            movements: components["schemas"]["LedgerEntry"][];
            /** @example 1 */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 50 */
            limit: number;
        };
        LedgerEntry: {
            /** @example 118 */
            id: number;
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /**
             * @example adjustment
             * @enum {string}
             */
            movement_type: "receive" | "adjustment" | "transfer_out" | "transfer_in" | "shipment" | "return" | "sync";
            /**
             * @description Positive into stock, negative out of it
             * @example 140
             */
            quantity: number;
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            /** @example null */
            reference_id: number | null;
            /** @example Found during the stock take */
            notes: string | null;
            /** @example Noor Haddad */
            created_by_name: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Units on hand after it
             * @example 164
             */
            balance: number;
            /** @example OIL-2026-03 */
            batch_number: string | null;
            /**
             * @description Of the order that it shipped or took back
             * @example ORD-000501
             */
            order_number: string | null;
            /**
             * @description Of the purchase order that it received
             * @example PO-000064
             */
            po_number: string | null;
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
        Member: {
            /** @example 118 */
            id: number;
            /** @example Tom Okafor */
            name: string;
            /** @example tom@example.com */
            email: string;
            /** @enum {string} */
            role: "Admin" | "Manager" | "Staff";
            /** @example false */
            is_banned: boolean;
            /** Format: date-time */
            created_at: string;
        };
        MemberChange: {
            /**
             * @example Manager
             * @enum {string}
             */
            role?: "Admin" | "Manager" | "Staff";
            is_banned?: boolean;
        };
        Message: {
            /** @example Saved */
            message: string;
        };
        Movement: {
            /** @example 118 */
            id: number;
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /**
             * @example adjustment
             * @enum {string}
             */
            movement_type: "receive" | "adjustment" | "transfer_out" | "transfer_in" | "shipment" | "return" | "sync";
            /**
             * @description Positive into stock, negative out of it
             * @example 24
             */
            quantity: number;
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            /** @example null */
            reference_id: number | null;
            /** @example Found during the stock take */
            notes: string | null;
            /** @example Noor Haddad */
            created_by_name: string | null;
            /** Format: date-time */
            created_at: string;
        };
        NewAddress: {
            /** @enum {string} */
            type: "billing" | "shipping";
            /** @example 8 Mill Lane */
            line1: string;
            /** @example Leeds */
            city: string;
            state?: string | null;
            /** @example LS1 4DT */
            postcode?: string | null;
            /** @example United Kingdom */
            country: string;
            /**
             * @description Takes the place of the default of its type
             * @default false
             */
            is_default?: boolean;
        };
        NewApiKey: {
            /** @example web shop */
            name: string;
            /**
             * @description `["read"]`, or `["read", "write"]`
             * @default [
             *       "read"
             *     ]
             */
            permissions?: ("read" | "write")[];
            /**
             * Format: date
             * @example 2026-01-31
             */
            expires_at?: string | null;
        };
        NewBatch: {
            /** @example 118 */
            product_id: number;
            /** @example OIL-2026-03 */
            batch_number: string;
            lot_number?: string | null;
            /**
             * Format: date
             * @example 2026-01-31
             */
            manufacture_date?: string | null;
            /**
             * Format: date
             * @example 2027-03-31
             */
            expiry_date?: string | null;
            /**
             * @default 0
             * @example 48
             */
            quantity?: number;
            warehouse_id?: number | null;
            notes?: string | null;
        };
        NewCount: {
            warehouse_id?: number | null;
            category_id?: number | null;
            /** @example November */
            notes?: string | null;
        };
        NewImage: {
            /**
             * Format: uri
             * @example https://images.example.com/mug-blue.jpg
             */
            url: string;
            /**
             * @description The first image always is
             * @default false
             */
            is_primary?: boolean;
        };
        NewMember: {
            /** @example Tom Okafor */
            name: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** Format: password */
            password: string;
            /**
             * @example Staff
             * @enum {string}
             */
            role: "Admin" | "Manager" | "Staff";
        };
        NewOrder: {
            items: components["schemas"]["NewOrderItem"][];
            /** @example 77 */
            customer_id?: number | null;
            warehouse_id?: number | null;
            /** @enum {string|null} */
            channel?: "manual" | "api" | "pos" | "b2b" | null;
            shipping_address?: components["schemas"]["ShippingAddress"];
        };
        NewOrderItem: {
            /** @example 118 */
            product_id: number;
            /** @example 2 */
            quantity: number;
            /**
             * @description An amount of at least 0 with at most 2 decimals, as a number or a string
             * @example 12.50
             */
            unit_price: string | number;
        };
        NewPurchaseOrder: {
            /** @example 9 */
            supplier_id: number;
            warehouse_id?: number | null;
            items: components["schemas"]["NewPurchaseOrderItem"][];
            /**
             * Format: date
             * @example 2026-01-31
             */
            expected_date?: string | null;
            notes?: string | null;
        };
        NewPurchaseOrderItem: {
            /** @example 118 */
            product_id: number;
            /** @example 140 */
            quantity: number;
            /**
             * @description An amount of at least 0 with at most 2 decimals, as a number or a string
             * @example 19.90
             */
            unit_cost?: string | number | null;
        };
        NewSerial: {
            /** @example 118 */
            product_id: number;
            /** @example KETTLE-0042 */
            serial_number: string;
            warehouse_id?: number | null;
            notes?: string | null;
        };
        NewSerials: {
            /** @example 118 */
            product_id: number;
            warehouse_id?: number | null;
            /**
             * @example [
             *       "KETTLE-0042",
             *       "KETTLE-0043"
             *     ]
             */
            serials: string[];
            notes?: string | null;
        };
        NewSupplier: {
            /** @example Hollis Kitchenware */
            name: string;
            /**
             * Format: email
             * @example orders@hollis.example.com
             */
            email?: string | null;
            phone?: string | null;
            /** @example Net 30 */
            payment_terms?: string | null;
            lead_time_days?: number | null;
        };
        NewWarehouse: {
            /** @example North depot */
            name: string;
            /** @example NORTH */
            code: string;
            /** @example 14 Canal Street */
            address?: string | null;
            /** @example Leeds */
            city?: string | null;
            state?: string | null;
            /** @default false */
            is_default?: boolean;
        };
        NewWebhook: {
            /** @example https://images.example.com/mug-blue.jpg */
            url: string;
            /**
             * @example [
             *       "*"
             *     ]
             */
            types?: string[];
            description?: string | null;
        };
        Order: {
            /** @example 501 */
            id: number;
            /** @example ORD-000501 */
            order_number: string;
            /** @example 77 */
            customer_id: number | null;
            /** @example Priya Raman */
            customer_name: string | null;
            /** @enum {string} */
            status: "pending" | "paid" | "fulfilling" | "fulfilled" | "shipped" | "cancelled";
            /** @enum {string} */
            channel: "manual" | "api" | "pos" | "b2b";
            /** @example 25.00 */
            total_amount: string;
            /**
             * @description Number of lines
             * @example 1
             */
            item_count: number;
            /** @example 2 */
            warehouse_id: number;
            shipping_address: components["schemas"]["ShippingAddress"];
            items: components["schemas"]["OrderItem"][];
            /** Format: date-time */
            created_at: string;
        };
        OrderCounts: {
            /** @example 1 */
            total: number;
            by_status: {
                pending: number;
                paid: number;
                fulfilling: number;
                fulfilled: number;
                shipped: number;
                cancelled: number;
            };
            /**
             * @description Paid or fulfilling orders with reserved units not yet shipped
             * @example 4
             */
            to_ship: number;
            /**
             * @description Orders with units that wait for stock
             * @example 0
             */
            backordered: number;
        };
        OrderItem: {
            /** @example 903 */
            id: number;
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /** @example 2 */
            quantity: number;
            /** @example 12.50 */
            unit_price: string;
            /** @example 2 */
            quantity_fulfilled: number;
            /**
             * @description Units that wait for stock
             * @example 0
             */
            quantity_backordered: number;
            /** @example 0 */
            quantity_returned: number;
            /**
             * @description Units on hand that are kept for this line
             * @example 2
             */
            quantity_reserved: number;
        };
        OrderStats: {
            period: {
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
            };
            /**
             * @description Orders of the period that are not cancelled
             * @example 6
             */
            total_orders: number;
            /** @example 1840.00 */
            total_revenue: string;
            /** @example 52.57 */
            avg_order_value: string;
            by_status: {
                pending: number;
                paid: number;
                fulfilling: number;
                fulfilled: number;
                shipped: number;
                cancelled: number;
            };
        };
        OrderSummary: {
            /** @example 501 */
            id: number;
            /** @example ORD-000501 */
            order_number: string;
            /** @example 77 */
            customer_id: number | null;
            /** @example Priya Raman */
            customer_name: string | null;
            /** @enum {string} */
            status: "pending" | "paid" | "fulfilling" | "fulfilled" | "shipped" | "cancelled";
            /** @enum {string} */
            channel: "manual" | "api" | "pos" | "b2b";
            /** @example 25.00 */
            total_amount: string;
            /**
             * @description Number of lines
             * @example 1
             */
            item_count: number;
            /** @example 2 */
            warehouse_id: number;
            shipping_address: components["schemas"]["ShippingAddress"];
            /** Format: date-time */
            created_at: string;
        };
        Paper: {
            /** @example Raman & Daughters */
            company: string;
            /** @example Packing slip */
            title: string;
            /** @example ORD-000501 */
            number: string;
            code: {
                /** @enum {string} */
                symbology: "code128" | "qrcode" | "gs1qrcode";
                /**
                 * @description For GS1 with parentheses, such as `(01)04006381333931(10)OIL-7`
                 * @example ORD-000501
                 */
                text: string;
            } | null;
            blocks: {
                /** @example Ship to */
                title: string;
                lines: string[];
            }[];
            columns: {
                /** @example Product */
                title: string;
                /** @enum {string} */
                align: "left" | "right";
                /**
                 * @description Of the width of the paper
                 * @example 0.4
                 */
                share: number;
            }[];
            /** @description The cells of each line, as in `columns` */
            rows: string[][];
            /** @description What stands below the lines */
            notes: string[];
        };
        PasswordChange: {
            /** Format: password */
            current_password: string;
            /** Format: password */
            new_password: string;
            /** @description Whether the API keys that you created end too; they stay unless it is true */
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
            /** @description Whether the API keys that you created end too; they stay unless it is true */
            revoke_keys?: boolean;
        };
        PasswordResetRequest: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
        };
        Period: {
            /**
             * @example 2026-01-31
             * @example 2026-01
             */
            period: string;
            /** @example 1840.00 */
            revenue: string;
            /** @example 618.20 */
            cogs: string;
            /** @example 1221.80 */
            gross_margin: string;
            /** @example 66.40 */
            gross_margin_pct: string;
        };
        Product: {
            /** @example 118 */
            id: number;
            /** @example Stoneware mug, blue */
            name: string;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example 12.50 */
            base_price: string;
            /** @example 4.20 */
            cost_price: string | null;
            /** @example null */
            compare_at_price: string | null;
            /** @example 5012345678900 */
            barcode: string | null;
            /** @example Hollis Kitchenware */
            vendor: string | null;
            /** @example Hand-glazed stoneware, 350 ml. */
            description: string | null;
            /** @example 5 */
            category_id: number | null;
            /** @example Kitchen */
            category_name: string | null;
            /**
             * @example none
             * @enum {string}
             */
            tracking_type: "none" | "batch" | "serial";
            /**
             * @description Kilograms
             * @example 0.38
             */
            weight: number | null;
            taxable: boolean;
            requires_shipping: boolean;
            is_active: boolean;
            /** @example 140 */
            total_stock: number;
            /**
             * @example [
             *       {
             *         "id": 31,
             *         "url": "https://images.example.com/mug-blue.jpg",
             *         "is_primary": true
             *       }
             *     ]
             */
            images: components["schemas"]["Image"][];
            stock: {
                /** @example 2 */
                warehouse_id: number;
                /** @example North depot */
                warehouse_name: string;
                /** @example 140 */
                quantity: number;
            }[];
            /** Format: date-time */
            created_at: string;
            /**
             * @description Units in all warehouses
             * @example 140
             */
            quantity_on_hand: number;
            /**
             * @description Of these, units promised to orders
             * @example 12
             */
            reserved: number;
            /**
             * @description Units on hand that are not reserved
             * @example 20
             */
            available: number;
            /**
             * @description Units ordered from suppliers and not yet received
             * @example 60
             */
            incoming: number;
        };
        ProductChange: {
            name?: string;
            sku?: string;
            /**
             * @description An amount of at least 0 with at most 2 decimals, as a number or a string
             * @example 19.90
             */
            base_price?: string | number;
            /**
             * @description An amount of at least 0 with at most 2 decimals, as a number or a string
             * @example 19.90
             */
            cost_price?: string | number | null;
            /**
             * @description An amount of at least 0 with at most 2 decimals, as a number or a string
             * @example 19.90
             */
            compare_at_price?: string | number | null;
            category_id?: number | null;
            barcode?: string | null;
            vendor?: string | null;
            /** @enum {string|null} */
            tracking_type?: "none" | "batch" | "serial" | null;
            /** @description Kilograms */
            weight?: number | null;
            description?: string | null;
            taxable?: boolean | null;
            requires_shipping?: boolean | null;
            is_active?: boolean | null;
        };
        ProductInput: {
            /** @example Stoneware mug, blue */
            name: string;
            /** @example MUG-BLUE-350 */
            sku: string;
            /**
             * @description An amount of at least 0 with at most 2 decimals, as a number or a string
             * @example 12.50
             */
            base_price: string | number;
            /**
             * @description An amount of at least 0 with at most 2 decimals, as a number or a string
             * @example 4.20
             */
            cost_price?: string | number | null;
            /**
             * @description An amount of at least 0 with at most 2 decimals, as a number or a string
             * @example 19.90
             */
            compare_at_price?: string | number | null;
            category_id?: number | null;
            barcode?: string | null;
            vendor?: string | null;
            /**
             * @default none
             * @enum {string|null}
             */
            tracking_type?: "none" | "batch" | "serial" | null;
            /** @description Kilograms */
            weight?: number | null;
            description?: string | null;
            taxable?: boolean | null;
            requires_shipping?: boolean | null;
            is_active?: boolean | null;
        };
        ProfileChange: {
            /** @example Noor Haddad */
            name?: string;
        };
        PurchaseOrder: {
            /** @example 64 */
            id: number;
            /** @example PO-000064 */
            po_number: string;
            /** @example 9 */
            supplier_id: number;
            /** @example Hollis Kitchenware */
            supplier_name: string;
            /** @example 2 */
            warehouse_id: number;
            /** @enum {string} */
            status: "draft" | "ordered" | "partial" | "received" | "cancelled";
            /** @example 25.00 */
            total_amount: string;
            /**
             * Format: date
             * @example 2026-01-31
             */
            expected_date: string | null;
            /** @example null */
            notes: string | null;
            items: components["schemas"]["PurchaseOrderItem"][];
            /** Format: date-time */
            created_at: string;
        };
        PurchaseOrderCounts: {
            /** @example 1 */
            total: number;
            by_status: {
                draft: number;
                ordered: number;
                partial: number;
                received: number;
                cancelled: number;
            };
            /** @description Expected today or earlier, and not received */
            due: number;
        };
        PurchaseOrderItem: {
            /** @example 118 */
            id: number;
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /** @example 140 */
            quantity: number;
            /** @example 100 */
            quantity_received: number;
            /** @example 4.20 */
            unit_cost: string;
            /** @example 420.00 */
            line_total: string;
            /** @example 5012345678900 */
            barcode: string | null;
            /**
             * @description Whether a receipt names a batch or serials
             * @example none
             * @enum {string}
             */
            tracking_type: "none" | "batch" | "serial";
        };
        PurchaseOrderStatusChange: {
            /** @enum {string} */
            status: "draft" | "ordered" | "partial" | "received" | "cancelled";
        };
        PurchaseOrderSummary: {
            /** @example 64 */
            id: number;
            /** @example PO-000064 */
            po_number: string;
            /** @example 9 */
            supplier_id: number;
            /** @example Hollis Kitchenware */
            supplier_name: string;
            /** @example 2 */
            warehouse_id: number;
            /** @enum {string} */
            status: "draft" | "ordered" | "partial" | "received" | "cancelled";
            /** @example 25.00 */
            total_amount: string;
            /**
             * Format: date
             * @example 2026-01-31
             */
            expected_date: string | null;
            /** @example null */
            notes: string | null;
            /**
             * @description Lines
             * @example 1
             */
            item_count: number;
            /**
             * @description Units ordered, of all lines
             * @example 8
             */
            units: number;
            /** @description Units that have arrived, of all lines */
            units_received: number;
            /** Format: date-time */
            created_at: string;
        };
        Receipt: {
            items: components["schemas"]["ReceivedItem"][];
        };
        Received: {
            /** @example Saved */
            message: string;
            /**
             * @description Lines of this call
             * @example 1
             */
            received_lines: number;
            /**
             * @description Stock rows that grew
             * @example 100
             */
            inventory_updated: number;
            /** @enum {string} */
            status: "draft" | "ordered" | "partial" | "received" | "cancelled";
            /** @description Order lines that waited for stock and now got units */
            backorders_filled: number;
            /** @description The first 100 of them */
            filled_backorders: components["schemas"]["FilledBackorder"][];
        };
        ReceivedItem: {
            /** @example 212 */
            purchase_order_item_id?: number | null;
            product_id?: number | null;
            /** @example 100 */
            quantity_received: number;
            batch_number?: string | null;
            lot_number?: string | null;
            /**
             * Format: date
             * @example 2026-01-31
             */
            manufacture_date?: string | null;
            /**
             * Format: date
             * @example 2026-01-31
             */
            expiry_date?: string | null;
            serials?: string[] | null;
        };
        Registration: {
            /** @example Larkspur Goods */
            company_name: string;
            /** @example Noor Haddad */
            name: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** Format: password */
            password: string;
        };
        ReorderLevel: {
            /** @example 40 */
            reorder_level: number;
        };
        ReorderSuggestion: {
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            /**
             * @description Who delivered it last
             * @example 9
             */
            supplier_id: number | null;
            /** @example Hollis Kitchenware */
            supplier_name: string | null;
            /**
             * @description Their last price
             * @example 4.20
             */
            unit_cost: string | null;
            /** @example 32 */
            on_hand: number;
            /** @example 12 */
            reserved: number;
            /** @example 0 */
            backordered: number;
            /**
             * @description Still to come from open purchase orders
             * @example 0
             */
            on_order: number;
            /**
             * @description on_hand - reserved - backordered + on_order
             * @example 20
             */
            available: number;
            /** @example 40 */
            reorder_level: number;
            /**
             * @description Units shipped in the last 30 days, less returns
             * @example 90
             */
            recent_demand: number;
            /**
             * @description Of the supplier, 7 where it is not known
             * @example 10
             */
            lead_time_days: number;
            /**
             * @description Units that go out, at that pace, before a delivery comes
             * @example 30
             */
            lead_time_demand: number;
            /** @example 70 */
            suggested_quantity: number;
            /** @example 20 available (32 on hand - 12 reserved - 0 backordered + 0 on order) is not above the reorder level of 40 */
            reason: string;
        };
        Replay: {
            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
            after: string;
            /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
            until?: string;
            /**
             * @example [
             *       "*"
             *     ]
             */
            types?: string[];
        };
        Replayed: {
            /** @example 3 */
            replayed: number;
        };
        Return: {
            items: {
                /** @example 903 */
                order_item_id: number;
                /** @example 140 */
                quantity: number;
                serials?: string[] | null;
                reason?: string | null;
            }[];
        };
        RotatedSecret: {
            /**
             * @description For 24 hours deliveries carry signatures of this one and the one before
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazoNZ8HEwTg=
             */
            secret: string;
        };
        Serial: {
            /** @example 118 */
            id: number;
            /** @example 118 */
            product_id: number;
            /** @example KETTLE-17 */
            sku: string;
            /** @example Kettle, 1.7 l */
            product_name: string;
            /** @example KETTLE-0042 */
            serial_number: string;
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            /** @enum {string} */
            status: "in_stock" | "reserved" | "sold" | "returned" | "scrapped";
            /** @example null */
            notes: string | null;
            /** @example 501 */
            order_id: number | null;
            /** Format: date-time */
            created_at: string;
        };
        SerialChange: {
            /**
             * @example sold
             * @enum {string}
             */
            status: "in_stock" | "reserved" | "sold" | "returned" | "scrapped";
            /**
             * @description Why; kept in its timeline
             * @example null
             */
            notes?: string | null;
        };
        SerialEvent: {
            /**
             * @description `returned` by a customer, `restocked` when it could be sold again later
             * @example shipped
             * @enum {string}
             */
            type: "received" | "reserved" | "released" | "transferred" | "shipped" | "sold" | "returned" | "restocked" | "scrapped";
            /**
             * @description The status that the serial got
             * @example sold
             * @enum {string}
             */
            status: "in_stock" | "reserved" | "sold" | "returned" | "scrapped";
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            purchase_order_id: number | null;
            /** @example PO-000064 */
            po_number: string | null;
            /** @example 9 */
            supplier_id: number | null;
            /** @example Hollis Kitchenware */
            supplier_name: string | null;
            /** @example 501 */
            order_id: number | null;
            /** @example ORD-000501 */
            order_number: string | null;
            /** @example 77 */
            customer_id: number | null;
            /** @example Priya Raman */
            customer_name: string | null;
            /** @example null */
            notes: string | null;
            /**
             * @description Null for API keys
             * @example Noor Haddad
             */
            created_by_name: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Settings: {
            /**
             * @description Days begin and end in this time zone
             * @example Europe/London
             */
            timezone: string;
            /**
             * @description What happens to an order for more than there is: it waits, or it is refused
             * @enum {string}
             */
            oversell_policy: "backorder" | "reject";
        };
        SettingsChange: {
            /** @example Europe/London */
            timezone?: string;
            /**
             * @description What happens to an order for more than there is: it waits, or it is refused
             * @enum {string}
             */
            oversell_policy?: "backorder" | "reject";
        };
        ShippingAddress: {
            /** @example 8 Mill Lane */
            line1?: string | null;
            /** @example Leeds */
            city?: string | null;
            /** @example null */
            state?: string | null;
            /** @example LS1 4DT */
            postcode?: string | null;
            /** @example United Kingdom */
            country?: string | null;
        } | null;
        SignedIn: {
            /**
             * @description For the header `Authorization: Bearer`, valid for 8 hours
             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMiJ9.dGhlLXNpZ25hdHVyZQ
             */
            token: string;
            user: components["schemas"]["User"];
            tenant: components["schemas"]["Tenant"];
        };
        Status: {
            /** @example ok */
            status: string;
        };
        StatusChange: {
            /**
             * @example paid
             * @enum {string}
             */
            status: "pending" | "paid" | "fulfilling" | "fulfilled" | "shipped" | "cancelled";
        };
        StockChange: {
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            /**
             * @description Units on hand
             * @example 140
             */
            quantity: number;
            /**
             * @description Of these, units promised to orders
             * @example 12
             */
            reserved_quantity: number;
            /**
             * @description At or below this there is an alert
             * @example 40
             */
            reorder_level: number;
            movement: components["schemas"]["Movement"];
        };
        StockRow: {
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            /**
             * @description Units on hand
             * @example 140
             */
            quantity: number;
            /**
             * @description Of these, units promised to orders
             * @example 12
             */
            reserved_quantity: number;
            /**
             * @description At or below this there is an alert
             * @example 40
             */
            reorder_level: number;
            /**
             * @description Units on hand that are not reserved
             * @example 20
             */
            available: number;
            /**
             * @description Units ordered from suppliers and not yet received
             * @example 60
             */
            incoming: number;
        };
        StockState: {
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            /**
             * @description Units on hand
             * @example 140
             */
            quantity: number;
            /**
             * @description Of these, units promised to orders
             * @example 12
             */
            reserved_quantity: number;
            /**
             * @description At or below this there is an alert
             * @example 40
             */
            reorder_level: number;
        };
        Summary: {
            /** @example 64 */
            total_skus: number;
            /** @example 18240.50 */
            total_stock_value: string;
            /** @example 4 */
            low_stock_count: number;
            /** @example 1 */
            out_of_stock_count: number;
            warehouses: {
                /** @example 2 */
                warehouse_id: number;
                /** @example North depot */
                warehouse_name: string;
                /** @example 64 */
                total_skus: number;
                total_quantity: number;
                /** @example 18240.50 */
                total_value: string;
            }[];
        };
        Supplier: {
            /** @example 9 */
            id: number;
            /** @example Hollis Kitchenware */
            name: string;
            /** @example orders@hollis.example.com */
            email: string | null;
            /** @example +44 113 496 0199 */
            phone: string | null;
            /** @example Net 30 */
            payment_terms: string | null;
            /** @example 10 */
            lead_time_days: number | null;
            /**
             * @description Products ever ordered from them
             * @example 23
             */
            product_count: number;
            /**
             * @description Purchase orders that have been placed and not yet arrived in full
             * @example 1
             */
            open_orders: number;
            /** Format: date-time */
            created_at: string;
        };
        SupplierChange: {
            /** @example Hollis Kitchenware */
            name?: string;
            /**
             * Format: email
             * @example orders@hollis.example.com
             */
            email?: string | null;
            phone?: string | null;
            /** @example Net 30 */
            payment_terms?: string | null;
            lead_time_days?: number | null;
        };
        SupplierDetail: {
            /** @example 9 */
            id: number;
            /** @example Hollis Kitchenware */
            name: string;
            /** @example orders@hollis.example.com */
            email: string | null;
            /** @example +44 113 496 0199 */
            phone: string | null;
            /** @example Net 30 */
            payment_terms: string | null;
            /** @example 10 */
            lead_time_days: number | null;
            /**
             * @description Products ever ordered from them
             * @example 23
             */
            product_count: number;
            /**
             * @description Purchase orders that have been placed and not yet arrived in full
             * @example 1
             */
            open_orders: number;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Purchase orders that have been placed and not cancelled
             * @example 6
             */
            total_orders: number;
            /**
             * @description What those came to
             * @example 412.00
             */
            total_spent: string;
        };
        /** @description The array alone is understood too. */
        Sync: {
            items: components["schemas"]["SyncRow"][];
        };
        SyncRow: {
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example 2 */
            warehouse_id: number;
            /**
             * @description Units on hand, absolute
             * @example 140
             */
            quantity: number;
            /** @description Only if this is what is on hand now */
            expected_quantity?: number | null;
        };
        Synced: {
            /** @example Saved */
            message: string;
            /**
             * @description Rows that now hold the given quantity
             * @example 3
             */
            updated: number;
            skipped: {
                /** @example MUG-BLUE-350 */
                sku: string;
                /** @example 2 */
                warehouse_id: number;
                /** @example 20 available (32 on hand - 12 reserved - 0 backordered + 0 on order) is not above the reorder level of 40 */
                reason: string;
            }[];
        };
        Tenant: {
            /** @example 118 */
            id: number;
            /** @example Larkspur Goods */
            name: string;
        };
        TimelineEntry: {
            /** @enum {string} */
            type: "created" | "reserved" | "backordered" | "status_changed" | "shipped" | "returned";
            /**
             * @description The status that the order got
             * @enum {string|null}
             */
            status: "pending" | "paid" | "fulfilling" | "fulfilled" | "shipped" | "cancelled" | null;
            items: components["schemas"]["TimelineItem"][];
            /**
             * @description Null for API keys
             * @example Noor Haddad
             */
            created_by_name: string | null;
            /** Format: date-time */
            created_at: string;
        };
        TimelineItem: {
            /** @example 903 */
            order_item_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /** @example 140 */
            quantity: number;
            /** @example 20 available (32 on hand - 12 reserved - 0 backordered + 0 on order) is not above the reorder level of 40 */
            reason: string | null;
        };
        Today: {
            /**
             * @description Paid or fulfilling, with reserved units not yet shipped
             * @example 4
             */
            orders_to_ship: number;
            /**
             * @description Order lines that wait for stock
             * @example 2
             */
            backorders: number;
            /**
             * @description Stock rows at or below their reorder level, but not out
             * @example 3
             */
            low_stock: number;
            /**
             * @description Stock rows with nothing on hand
             * @example 1
             */
            out_of_stock: number;
            /**
             * @description Expected today or earlier, and not received
             * @example 1
             */
            purchase_orders_due: number;
            /**
             * @description On hand, and expired or expiring within 30 days
             * @example 2
             */
            batches_expiring: number;
            last_30_days: {
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
                /** @description Placed and not cancelled */
                orders: number;
                /** @example 1840.00 */
                revenue: string;
                /** @example 1221.80 */
                gross_margin: string;
                /** @example 66.40 */
                gross_margin_pct: string;
                days: {
                    /**
                     * Format: date
                     * @example 2026-01-31
                     */
                    date: string;
                    /** @description Placed and not cancelled */
                    orders: number;
                    /** @example 1840.00 */
                    revenue: string;
                    /** @example 1221.80 */
                    gross_margin: string;
                    /** @example 66.40 */
                    gross_margin_pct: string;
                }[];
            };
            recent_orders: components["schemas"]["OrderSummary"][];
        };
        Token: {
            /**
             * @description For the header `Authorization: Bearer`, valid for 8 hours
             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMiJ9.dGhlLXNpZ25hdHVyZQ
             */
            token: string;
        };
        Transfer: {
            /** @example 118 */
            product_id: number;
            /** @example 1 */
            from_warehouse_id: number;
            /** @example 2 */
            to_warehouse_id: number;
            /** @example 10 */
            quantity: number;
            batch_id?: number | null;
            /** @description The units of a serial-tracked product */
            serials?: string[] | null;
            notes?: string | null;
        };
        UncountedProduct: {
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /**
             * @example none
             * @enum {string}
             */
            tracking_type: "none" | "batch" | "serial";
            /**
             * @description Units on hand. Hidden while people count
             * @example 140
             */
            quantity: number | null;
        };
        UsageEntry: {
            /** @example 118 */
            id: number;
            /** @example 3 */
            api_key_id: number;
            /** @example web shop */
            key_name: string;
            /** @example GET */
            method: string;
            /** @example /api/external/products */
            path: string;
            /** @example 200 */
            status_code: number;
            /** @example 4 */
            response_time_ms: number;
            /** @example 192.0.2.10 */
            ip_address: string;
            /** Format: date-time */
            created_at: string;
        };
        User: {
            /** @example 118 */
            id: number;
            /** @example Noor Haddad */
            name: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @enum {string} */
            role: "Admin" | "Manager" | "Staff";
        };
        ValueHistory: {
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
            periods: {
                /**
                 * @example 2026-01-31
                 * @example 2026-01
                 */
                period: string;
                /** @example 18240.50 */
                total_value: string;
                /** @description Stock rows that held something */
                items: number;
            }[];
        };
        ValuedRow: {
            /** @example 118 */
            product_id: number;
            /** @example MUG-BLUE-350 */
            sku: string;
            /** @example Stoneware mug, blue */
            product_name: string;
            /** @example 2 */
            warehouse_id: number;
            /** @example North depot */
            warehouse_name: string;
            /** @example 140 */
            quantity: number;
            /**
             * @description The moving average, with six decimals
             * @example 4.200000
             */
            unit_cost: string;
            /** @example 18240.50 */
            total_value: string;
        };
        Warehouse: {
            /** @example 2 */
            id: number;
            /** @example North depot */
            name: string;
            /** @example NORTH */
            code: string;
            /** @example 14 Canal Street */
            address: string | null;
            /** @example Leeds */
            city: string | null;
            /** @example null */
            state: string | null;
            is_default: boolean;
            /** @example 64 */
            total_skus: number;
            /** @example 18240.50 */
            total_value: string;
            /** Format: date-time */
            created_at: string;
        };
        WarehouseChange: {
            /** @example North depot */
            name?: string;
            code?: string;
            /** @example 14 Canal Street */
            address?: string | null;
            /** @example Leeds */
            city?: string | null;
            state?: string | null;
            /**
             * @description `true` takes over from the present default, which is the only way to end it
             * @example true
             */
            is_default?: boolean;
        };
        Webhook: {
            /**
             * Format: uuid
             * @example 019a8c1e-7d20-7b3a-9c4e-5f60718293a4
             */
            id: string;
            /** @example https://images.example.com/mug-blue.jpg */
            url: string;
            /**
             * @example [
             *       "*"
             *     ]
             */
            types: string[];
            /** @example Tells the shop about orders */
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
                /** @example Mira Novak */
                name: string;
            } | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookChange: {
            /** @example https://example.com/hooks/trivet */
            url?: string;
            /**
             * @example [
             *       "*"
             *     ]
             */
            types?: string[];
            description?: string | null;
            is_active?: boolean;
        };
        WebhookTestResult: {
            /** @example 200 */
            response_status: number | null;
            /** @example 4 */
            response_time_ms: number | null;
            /**
             * @description Its first 1 KiB
             * @example ok
             */
            response_body: string | null;
            /**
             * @description Why it did not succeed
             * @example Only 3 units are available
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
                 *       "error": "email must be an email address",
                 *       "code": "invalid_input",
                 *       "request_id": "01JPA3V7KQ8ZC5T4",
                 *       "details": [
                 *         {
                 *           "field": "email",
                 *           "reason": "must be an email address"
                 *         }
                 *       ]
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
                 *       "error": "This token has expired: sign in again",
                 *       "code": "unauthorized",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The subscription has expired: until it is renewed, only signing in works. */
        Refused402: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The subscription has expired: until it is renewed, only signing in works.",
                 *       "code": "subscription_expired",
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
                 *       "error": "Forbidden",
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
                 *       "error": "Not found",
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
                 *       "error": "The body did not arrive in time.",
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
                 *       "error": "The request contradicts the current state, or a request with the same Idempotency-Key is still running.",
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
                 *       "error": "This was removed and will not come back.",
                 *       "code": "bad_request",
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
                 *       "error": "The body, or what would be stored, is larger than a limit allows.",
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
                 *       "error": "The body has another media type than this operation reads, or is compressed.",
                 *       "code": "unsupported_media_type",
                 *       "request_id": "01JPA3V7KQ8ZC5T4"
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
                 *       "error": "Too many requests, try again in 12 seconds",
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
                 *       "error": "A fault of the server, which is in its log under the request id.",
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
                 *       "error": "Service temporarily unavailable",
                 *       "code": "unavailable",
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
         * @description `1`: the request comes from the console, so the cookie of its session counts.
         * @example 1
         */
        "X-Trivet-Console": "1";
        /**
         * @description Streams only: the last event that was received. It goes before `after`.
         * @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d
         */
        "Last-Event-ID": string;
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
        /** @description The cookie of the session, or that it is deleted. */
        "Set-Cookie": string;
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
                    "application/json": components["schemas"]["SignedIn"];
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
                    "application/json": components["schemas"]["SignedIn"];
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
                "application/json": components["schemas"]["Login"];
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
            403: components["responses"]["Refused403"];
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
                    "application/json": components["schemas"]["Token"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
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
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeProfile: {
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
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listUsers: {
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
                        users: components["schemas"]["Member"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createUser: {
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
            402: components["responses"]["Refused402"];
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
    changeUser: {
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
                /** @example 118 */
                id: number;
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
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    getSettings: {
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
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeSettings: {
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
                "application/json": components["schemas"]["SettingsChange"];
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
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    getCompany: {
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
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeCompany: {
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
                "application/json": components["schemas"]["CompanyChange"];
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
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listWarehouses: {
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
                        warehouses: components["schemas"]["Warehouse"][];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createWarehouse: {
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
                "application/json": components["schemas"]["NewWarehouse"];
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
                    "application/json": components["schemas"]["Warehouse"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    changeWarehouse: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WarehouseChange"];
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
                    "application/json": components["schemas"]["Warehouse"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listCategories: {
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
                        categories: components["schemas"]["Category"][];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createCategory: {
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
                "application/json": components["schemas"]["CategoryInput"];
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
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    updateCategory: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryInput"];
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
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    deleteCategory: {
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
                /** @example 118 */
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /** @description Part of the name, SKU or barcode */
                search?: string;
                category?: number;
                active?: boolean;
                /** @description Descending with a minus; without it, newest first */
                sort?: "name" | "-name" | "sku" | "-sku" | "base_price" | "-base_price" | "created_at" | "-created_at";
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
                        products: components["schemas"]["Product"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createProduct: {
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
                "application/json": components["schemas"]["ProductInput"];
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
                    "application/json": components["schemas"]["CreatedProduct"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    getProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    replaceProduct: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductInput"];
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    deleteProduct: {
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
                /** @example 118 */
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeProduct: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductChange"];
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    addProductImage: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewImage"];
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
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    deleteProductImage: {
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
                /** @example 118 */
                id: number;
                imageId: number;
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    exportProducts: {
        parameters: {
            query?: {
                /** @description 1: the file begins with a byte order mark, which Excel needs to read it as UTF-8 */
                bom?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line for each product */
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
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    importProducts: {
        parameters: {
            query?: {
                /** @description Only tell what would happen */
                dry_run?: boolean;
                /** @description Also tell what happens line by line */
                lines?: boolean;
            };
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
        /** @description The first line names the columns */
        requestBody: {
            content: {
                "text/csv": unknown;
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
                    "application/json": components["schemas"]["ImportResult"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listInventory: {
        parameters: {
            query?: {
                warehouse_id?: number;
                /** @description Only rows at or below their reorder level */
                low_stock?: boolean;
                /** @description `low`: at or below the reorder level, but not out; `out`: nothing on hand */
                state?: "low" | "out";
                /** @description Part of the name, SKU or barcode */
                search?: string;
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
                        inventory: components["schemas"]["StockRow"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getInventorySummary: {
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
                    "application/json": components["schemas"]["Summary"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listAlerts: {
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
                        alerts: components["schemas"]["InventoryRow"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listMovements: {
        parameters: {
            query?: {
                product_id?: number;
                warehouse_id?: number;
                type?: "receive" | "adjustment" | "transfer_out" | "transfer_in" | "shipment" | "return" | "sync";
                /** @example 2026-01-31 */
                from?: string;
                /** @example 2026-01-31 */
                to?: string;
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
                        movements: components["schemas"]["Movement"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    explainStock: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: never;
            path: {
                /** @example 118 */
                product_id: number;
                /** @example 2 */
                warehouse_id: number;
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
                    "application/json": components["schemas"]["Ledger"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    adjustStock: {
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
                "application/json": components["schemas"]["Adjustment"];
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
                    "application/json": {
                        /** @example Saved */
                        message: string;
                        /** @example 164 */
                        new_quantity: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    transferStock: {
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
                "application/json": components["schemas"]["Transfer"];
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
                    "application/json": {
                        /** @example Saved */
                        message: string;
                        /** @example 140 */
                        quantity: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    setReorderLevel: {
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
                /** @example 118 */
                product_id: number;
                /** @example 2 */
                warehouse_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReorderLevel"];
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
                    "application/json": components["schemas"]["InventoryRow"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listCounts: {
        parameters: {
            query?: {
                status?: "open" | "review" | "posted" | "cancelled";
                warehouse_id?: number;
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
                        counts: components["schemas"]["Count"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    openCount: {
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
                "application/json": components["schemas"]["NewCount"];
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
                    "application/json": components["schemas"]["Count"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    getCount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["Count"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    enterCount: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CountEntries"];
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
                    "application/json": {
                        lines: components["schemas"]["CountLine"][];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listCountLines: {
        parameters: {
            query?: {
                /** @description Only lines with a difference, once differences are shown */
                different?: boolean;
                /** @description By first entry, the latest first with `-id` */
                sort?: "id" | "-id";
                page?: number;
                limit?: number;
            };
            header?: never;
            path: {
                /** @example 118 */
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
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        lines: components["schemas"]["CountLine"][];
                        summary: components["schemas"]["CountSummary"];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    deleteCountLine: {
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
                /** @example 118 */
                id: number;
                lineId: number;
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listUncounted: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: never;
            path: {
                /** @example 118 */
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
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        uncounted: components["schemas"]["UncountedProduct"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeCountStatus: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CountStatusChange"];
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
                    "application/json": {
                        /** @example Saved */
                        message: string;
                        /** @enum {string} */
                        status: "open" | "review" | "posted" | "cancelled";
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listOrders: {
        parameters: {
            query?: {
                status?: "pending" | "paid" | "fulfilling" | "fulfilled" | "shipped" | "cancelled";
                customer_id?: number;
                /** @description Only orders with a line of this product */
                product_id?: number;
                channel?: "manual" | "api" | "pos" | "b2b";
                /** @description Part of the order number or the customer’s name */
                search?: string;
                /** @example 2026-01-31 */
                from?: string;
                /** @example 2026-01-31 */
                to?: string;
                /** @description Only paid or fulfilling orders with reserved units that have not been shipped */
                to_ship?: boolean;
                /** @description Only orders with units that wait for stock */
                backordered?: boolean;
                page?: number;
                limit?: number;
                /** @description `false` leaves out the total, which takes time if many orders match */
                count?: boolean;
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
                        orders: components["schemas"]["OrderSummary"][];
                        /** @example 1 */
                        total?: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createOrder: {
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
                "application/json": components["schemas"]["NewOrder"];
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
                    "application/json": components["schemas"]["CreatedOrder"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeOrderStatus: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusChange"];
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
                    "application/json": {
                        /** @example Saved */
                        message: string;
                        /** @enum {string} */
                        status: "pending" | "paid" | "fulfilling" | "fulfilled" | "shipped" | "cancelled";
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    fulfillOrder: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Fulfilment"];
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
                    "application/json": {
                        /** @example Saved */
                        message: string;
                        /** @description Lines of this call */
                        fulfilled_items: number;
                        /** @enum {string} */
                        order_status: "pending" | "paid" | "fulfilling" | "fulfilled" | "shipped" | "cancelled";
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    returnOrderItems: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Return"];
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
                    "application/json": {
                        /** @example Saved */
                        message: string;
                        /** @description Lines of this call */
                        returned_items: number;
                        /** @enum {string} */
                        order_status: "pending" | "paid" | "fulfilling" | "fulfilled" | "shipped" | "cancelled";
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    getOrderStats: {
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
                    "application/json": components["schemas"]["OrderStats"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    exportOrders: {
        parameters: {
            query?: {
                status?: "pending" | "paid" | "fulfilling" | "fulfilled" | "shipped" | "cancelled";
                customer_id?: number;
                /** @description Only orders with a line of this product */
                product_id?: number;
                channel?: "manual" | "api" | "pos" | "b2b";
                /** @description Part of the order number or the customer’s name */
                search?: string;
                /** @example 2026-01-31 */
                from?: string;
                /** @example 2026-01-31 */
                to?: string;
                /** @description Only paid or fulfilling orders with reserved units that have not been shipped */
                to_ship?: boolean;
                /** @description Only orders with units that wait for stock */
                backordered?: boolean;
                /** @description 1: the file begins with a byte order mark, which Excel needs to read it as UTF-8 */
                bom?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line for each order */
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
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    countOrders: {
        parameters: {
            query?: {
                customer_id?: number;
                /** @description Only orders with a line of this product */
                product_id?: number;
                channel?: "manual" | "api" | "pos" | "b2b";
                /** @description Part of the order number or the customer’s name */
                search?: string;
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
                    "application/json": components["schemas"]["OrderCounts"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listBackorders: {
        parameters: {
            query?: {
                product_id?: number;
                warehouse_id?: number;
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
                        backorders: components["schemas"]["Backorder"][];
                        /**
                         * @description Units that wait, on all pages
                         * @example 8
                         */
                        units: number;
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getOrderTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                        timeline: components["schemas"]["TimelineEntry"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Part of the name, company or email */
                search?: string;
                type?: "retail" | "wholesale" | "b2b";
                /** @description Descending with a minus; without it, newest first */
                sort?: "name" | "-name" | "created_at" | "-created_at";
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
                        customers: components["schemas"]["Customer"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createCustomer: {
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
                "application/json": components["schemas"]["CustomerInput"];
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
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    replaceCustomer: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerInput"];
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
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    deleteCustomer: {
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
                /** @example 118 */
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeCustomer: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerChange"];
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
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    addAddress: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAddress"];
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
                    "application/json": components["schemas"]["Address"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    replaceAddress: {
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
                /** @example 118 */
                id: number;
                addressId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAddress"];
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
                    "application/json": components["schemas"]["Address"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    deleteAddress: {
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
                /** @example 118 */
                id: number;
                addressId: number;
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeAddress: {
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
                /** @example 118 */
                id: number;
                addressId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressChange"];
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
                    "application/json": components["schemas"]["Address"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listSuppliers: {
        parameters: {
            query?: {
                /** @description Part of the name or email */
                search?: string;
                /** @description Descending with a minus; without it, oldest first */
                sort?: "name" | "-name" | "created_at" | "-created_at";
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
                        suppliers: components["schemas"]["Supplier"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createSupplier: {
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
                "application/json": components["schemas"]["NewSupplier"];
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
                    "application/json": components["schemas"]["Supplier"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    getSupplier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["SupplierDetail"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    replaceSupplier: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSupplier"];
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
                    "application/json": components["schemas"]["Supplier"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    deleteSupplier: {
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
                /** @example 118 */
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            409: components["responses"]["Refused409"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeSupplier: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SupplierChange"];
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
                    "application/json": components["schemas"]["Supplier"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listPurchaseOrders: {
        parameters: {
            query?: {
                status?: "draft" | "ordered" | "partial" | "received" | "cancelled";
                supplier_id?: number;
                /** @description Only ordered or partly received ones that are expected today or earlier */
                due?: boolean;
                /** @description Part of the number or the supplier’s name */
                search?: string;
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
                        purchase_orders: components["schemas"]["PurchaseOrderSummary"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    countPurchaseOrders: {
        parameters: {
            query?: {
                supplier_id?: number;
                /** @description Part of the number or the supplier’s name */
                search?: string;
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
                    "application/json": components["schemas"]["PurchaseOrderCounts"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getPurchaseOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["PurchaseOrder"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createPurchaseOrder: {
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
                "application/json": components["schemas"]["NewPurchaseOrder"];
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
                    "application/json": components["schemas"]["CreatedPurchaseOrder"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    changePurchaseOrderStatus: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PurchaseOrderStatusChange"];
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
                    "application/json": {
                        /** @example Saved */
                        message: string;
                        /** @enum {string} */
                        status: "draft" | "ordered" | "partial" | "received" | "cancelled";
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    receivePurchaseOrder: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Receipt"];
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
                    "application/json": components["schemas"]["Received"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listReorderSuggestions: {
        parameters: {
            query?: {
                warehouse_id?: number;
                supplier_id?: number;
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
                        suggestions: components["schemas"]["ReorderSuggestion"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    draftFromSuggestions: {
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
                "application/json": components["schemas"]["DraftRequest"];
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
                    "application/json": components["schemas"]["Drafts"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listBatches: {
        parameters: {
            query?: {
                product_id?: number;
                /** @description Only batches that this warehouse has */
                warehouse_id?: number;
                /** @description Only batches of which some is left */
                on_hand?: boolean;
                expiring_days?: number;
                /** @description Part of the batch or lot number */
                search?: string;
                /** @description The earliest expiry first; without it, newest first */
                sort?: "expiry_date";
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
                        batches: components["schemas"]["Batch"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createBatch: {
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
                "application/json": components["schemas"]["NewBatch"];
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
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listExpiringBatches: {
        parameters: {
            query?: {
                days?: number;
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
                        batches: components["schemas"]["ExpiringBatch"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeBatch: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchChange"];
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
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    traceBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["BatchTrace"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listSerials: {
        parameters: {
            query?: {
                product_id?: number;
                status?: "in_stock" | "reserved" | "sold" | "returned" | "scrapped";
                warehouse_id?: number;
                /** @description The beginning of the serial number; sorts by number */
                search?: string;
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
                        serials: components["schemas"]["Serial"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createSerial: {
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
                "application/json": components["schemas"]["NewSerial"];
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
                    "application/json": components["schemas"]["Serial"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    getSerial: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["Serial"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    changeSerial: {
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
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SerialChange"];
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
                    "application/json": components["schemas"]["Serial"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    getSerialTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                        timeline: components["schemas"]["SerialEvent"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createSerials: {
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
                "application/json": components["schemas"]["NewSerials"];
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
                    "application/json": {
                        /** @example Saved */
                        message: string;
                        count: number;
                        ids: number[];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    readPackingSlip: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["Paper"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getPackingSlip: {
        parameters: {
            query?: {
                size?: "a4" | "letter";
            };
            header?: never;
            path: {
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A packing slip */
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
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    readPickList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["Paper"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getPickList: {
        parameters: {
            query?: {
                size?: "a4" | "letter";
            };
            header?: never;
            path: {
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A pick list */
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
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    readPickListOfOrders: {
        parameters: {
            query: {
                /** @example 501,502 */
                order_ids: string;
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
                    "application/json": components["schemas"]["Paper"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getPickListOfOrders: {
        parameters: {
            query: {
                size?: "a4" | "letter";
                /** @example 501,502 */
                order_ids: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A pick list */
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
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    readPurchaseOrderPaper: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["Paper"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getPurchaseOrderPaper: {
        parameters: {
            query?: {
                size?: "a4" | "letter";
            };
            header?: never;
            path: {
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A purchase order */
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
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    readProductLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["Label"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getProductLabel: {
        parameters: {
            query?: {
                /** @description Of a label in millimetres, wide and high */
                size?: "57x32" | "62x29" | "100x50" | "100x150";
                copies?: number;
            };
            header?: never;
            path: {
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One label on each page */
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
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    readBatchLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 118 */
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
                    "application/json": components["schemas"]["Label"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getBatchLabel: {
        parameters: {
            query?: {
                /** @description Of a label in millimetres, wide and high */
                size?: "57x32" | "62x29" | "100x50" | "100x150";
                copies?: number;
            };
            header?: never;
            path: {
                /** @example 118 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One label on each page */
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
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getDashboard: {
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
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getToday: {
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
                    "application/json": components["schemas"]["Today"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getFinancialReport: {
        parameters: {
            query?: {
                /** @example 2026-01-31 */
                from?: string;
                /** @example 2026-01-31 */
                to?: string;
                group_by?: "day" | "week" | "month";
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
                    "application/json": components["schemas"]["FinancialReport"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getInventoryReport: {
        parameters: {
            query?: {
                /** @example 2026-01-31 */
                as_of?: string;
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
                    "application/json": components["schemas"]["InventoryReport"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getCogsReport: {
        parameters: {
            query?: {
                /** @example 2026-01-31 */
                from?: string;
                /** @example 2026-01-31 */
                to?: string;
                group_by?: "day" | "week" | "month";
                /** @description Descending with a minus */
                sort?: "-cogs" | "cogs" | "-revenue" | "revenue" | "-gross_margin" | "gross_margin" | "-quantity" | "quantity";
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
                    "application/json": components["schemas"]["CogsReport"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getValueHistory: {
        parameters: {
            query?: {
                /** @example 2026-01-31 */
                from?: string;
                /** @example 2026-01-31 */
                to?: string;
                group_by?: "day" | "week" | "month";
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
                    "application/json": components["schemas"]["ValueHistory"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    exportFinancialReport: {
        parameters: {
            query?: {
                /** @example 2026-01-31 */
                from?: string;
                /** @example 2026-01-31 */
                to?: string;
                group_by?: "day" | "week" | "month";
                /** @description 1: the file begins with a byte order mark, which Excel needs to read it as UTF-8 */
                bom?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line for each period */
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
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    exportCogsReport: {
        parameters: {
            query?: {
                /** @example 2026-01-31 */
                from?: string;
                /** @example 2026-01-31 */
                to?: string;
                /** @description Descending with a minus */
                sort?: "-cogs" | "cogs" | "-revenue" | "revenue" | "-gross_margin" | "gross_margin" | "-quantity" | "quantity";
                /** @description 1: the file begins with a byte order mark, which Excel needs to read it as UTF-8 */
                bom?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line for each product */
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
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    exportInventoryReport: {
        parameters: {
            query?: {
                /** @example 2026-01-31 */
                as_of?: string;
                /** @description 1: the file begins with a byte order mark, which Excel needs to read it as UTF-8 */
                bom?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line for each product and warehouse */
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
            402: components["responses"]["Refused402"];
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
                    "application/json": {
                        api_keys: components["schemas"]["ApiKey"][];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
                /** @example 118 */
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listApiUsage: {
        parameters: {
            query?: {
                api_key_id?: number;
                /** @description `true`: only requests that were answered with a status of 400 or above */
                failed?: boolean;
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
                        logs: components["schemas"]["UsageEntry"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listExternalProducts: {
        parameters: {
            query?: {
                /** @description Part of the name, SKU or barcode */
                search?: string;
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
                        products: components["schemas"]["Product"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getExternalProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example MUG-BLUE-350 */
                sku: string;
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
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listExternalInventory: {
        parameters: {
            query?: {
                warehouse_id?: number;
                /** @description Only rows at or below their reorder level */
                low_stock?: boolean;
                /** @description `low`: at or below the reorder level, but not out; `out`: nothing on hand */
                state?: "low" | "out";
                /** @description Part of the name, SKU or barcode */
                search?: string;
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
                        inventory: components["schemas"]["StockRow"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    syncInventory: {
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
        /** @description The array alone is understood too. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Sync"];
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
                    "application/json": components["schemas"]["Synced"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listExternalOrders: {
        parameters: {
            query?: {
                status?: "pending" | "paid" | "fulfilling" | "fulfilled" | "shipped" | "cancelled";
                /** @example 2026-01-31 */
                from?: string;
                /** @example 2026-01-31 */
                to?: string;
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
                        orders: components["schemas"]["OrderSummary"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createExternalOrder: {
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
                "application/json": components["schemas"]["NewOrder"];
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
                    "application/json": components["schemas"]["CreatedOrder"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
    listExternalCustomers: {
        parameters: {
            query?: {
                /** @description Part of the name, company or email */
                search?: string;
                type?: "retail" | "wholesale" | "b2b";
                /** @description Descending with a minus; without it, newest first */
                sort?: "name" | "-name" | "created_at" | "-created_at";
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
                        customers: components["schemas"]["Customer"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listAuditLogs: {
        parameters: {
            query?: {
                user_id?: number;
                /** @description Exactly this action: one of api_key.created, api_key.revoked, auth.logged_in, auth.password_changed, auth.password_reset, batch.created, batch.updated, category.created, category.deleted, category.updated, company.updated, count.created, count.line_deleted, count.status_changed, customer.address_added, customer.address_deleted, customer.address_updated, customer.created, customer.deleted, customer.updated, product.created, product.deleted, product.image_added, product.image_deleted, product.imported, product.updated, purchase_order.created, purchase_order.drafted, purchase_order.received, purchase_order.status_changed, settings.updated, stock.reorder_level_changed, subscription.updated, supplier.created, supplier.deleted, supplier.updated, tenant.created, user.banned, user.created, user.unbanned, user.updated, warehouse.created, warehouse.updated, webhook.created, webhook.deleted, webhook.redelivered, webhook.replayed, webhook.secret_rotated, webhook.switched_off, webhook.tested, webhook.updated */
                action?: string;
                /** @example 2026-01-31 */
                from?: string;
                /** @example 2026-01-31 */
                to?: string;
                limit?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
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
                        audit_logs: components["schemas"]["AuditEntry"][];
                        /**
                         * @description How many entries match, on all pages
                         * @example 1
                         */
                        total: number;
                        /**
                         * @description For the next page; null on the last
                         * @example 41
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    verifyInventory: {
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
                        ok: boolean;
                        findings: components["schemas"]["Finding"][];
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
                 * @example order.*,stock.low
                 */
                types?: string;
                /** @example order/42 */
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
                        /** @example 1 */
                        total: number;
                        /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                        next: string;
                    };
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            410: components["responses"]["Refused410"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listExternalEvents: {
        parameters: {
            query?: {
                /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                after?: string;
                /**
                 * @description Types, separated by commas; `order.*` stands for all types of orders
                 * @example order.*,stock.low
                 */
                types?: string;
                /** @example order/42 */
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
                        /** @example 1 */
                        total: number;
                        /** @example evt_01a1e039-6806-7000-ad0f-f002d2322e3d */
                        next: string;
                    };
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
            402: components["responses"]["Refused402"];
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
            402: components["responses"]["Refused402"];
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
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
            402: components["responses"]["Refused402"];
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
            402: components["responses"]["Refused402"];
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
            402: components["responses"]["Refused402"];
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
                        deliveries: components["schemas"]["Delivery"][];
                        /** @example 1 */
                        total: number;
                        /** @example 1 */
                        page: number;
                        /** @example 50 */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
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
            402: components["responses"]["Refused402"];
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
            402: components["responses"]["Refused402"];
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
    onProductCreated: {
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
                    type: "product.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Product"];
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
    onProductUpdated: {
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
                    type: "product.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Product"];
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
    onProductDeleted: {
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
                    type: "product.deleted";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Product"];
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
    onStockChanged: {
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
                    type: "stock.changed";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["StockChange"];
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
    onStockLow: {
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
                    type: "stock.low";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["StockState"];
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
    onStockOut: {
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
                    type: "stock.out";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["StockState"];
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
    onStockRecovered: {
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
                    type: "stock.recovered";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["StockState"];
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
    onOrderCreated: {
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
                    type: "order.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Order"];
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
    onOrderUpdated: {
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
                    type: "order.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Order"];
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
    onOrderFulfilled: {
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
                    type: "order.fulfilled";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Order"];
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
    onOrderCancelled: {
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
                    type: "order.cancelled";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Order"];
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
    onOrderReturned: {
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
                    type: "order.returned";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Order"];
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
    onPurchaseOrderCreated: {
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
                    type: "purchase_order.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["PurchaseOrder"];
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
    onPurchaseOrderUpdated: {
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
                    type: "purchase_order.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["PurchaseOrder"];
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
    onPurchaseOrderReceived: {
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
                    type: "purchase_order.received";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["PurchaseOrder"];
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
    onCountCreated: {
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
                    type: "count.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Count"];
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
    onCountUpdated: {
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
                    type: "count.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Count"];
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
    onCountPosted: {
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
                    type: "count.posted";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Count"];
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
    onCountCancelled: {
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
                    type: "count.cancelled";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Count"];
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
    onBatchCreated: {
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
                    type: "batch.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Batch"];
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
    onBatchUpdated: {
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
                    type: "batch.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Batch"];
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
    onBatchExpiring: {
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
                    type: "batch.expiring";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Batch"];
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
    onSerialUpdated: {
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
                    type: "serial.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Serial"];
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
    onCustomerCreated: {
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
                    type: "customer.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Customer"];
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
    onCustomerUpdated: {
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
                    type: "customer.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Customer"];
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
    onSupplierCreated: {
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
                    type: "supplier.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["SupplierDetail"];
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
    onSupplierUpdated: {
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
                    type: "supplier.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["SupplierDetail"];
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
    onSupplierDeleted: {
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
                    type: "supplier.deleted";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["SupplierDetail"];
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
    onWarehouseCreated: {
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
                    type: "warehouse.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Warehouse"];
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
    onWarehouseUpdated: {
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
                    type: "warehouse.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Warehouse"];
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
    onCategoryCreated: {
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
                    type: "category.created";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Category"];
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
    onCategoryUpdated: {
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
                    type: "category.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Category"];
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
    onCategoryDeleted: {
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
                    type: "category.deleted";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Category"];
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
    onSettingsUpdated: {
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
                    type: "settings.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Settings"];
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
    onCompanyUpdated: {
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
                    type: "company.updated";
                    /** Format: date-time */
                    created_at: string;
                    /** @description Kind and id of what it is about */
                    subject: string;
                    data: components["schemas"]["Company"];
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
    onUserCreated: {
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
                    type: "user.created";
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
}
