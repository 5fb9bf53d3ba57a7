import type { Home } from '#platform/reference/home/home-page.ts'

/** The page about the service. */
export const home: Home = {
  sentence:
    'Products, a stock ledger, orders and purchasing for small companies, each in a tenant of its own.',
  // The base address of the API: people try it in a browser.
  aliases: ['/api'],
  firstCalls: (base) => [
    {
      title: 'Create a company and keep its token',
      command: `TOKEN=$(curl -s ${base}/api/auth/register \\
  -H 'content-type: application/json' -d '{
    "company_name": "Acme", "name": "Noor",
    "email": "noor@acme.example",
    "password": "correct horse" }' | jq -r '.token')`,
    },
    {
      title: 'Add a product',
      command: `PRODUCT=$(curl -s ${base}/api/products \\
  -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' -d '{
    "name": "Mug", "sku": "MUG-1",
    "base_price": "9.50" }' | jq '.id')`,
    },
    {
      title: 'Put ten of it in stock',
      command: `WAREHOUSE=$(curl -s ${base}/api/warehouses \\
  -H "authorization: Bearer $TOKEN" | jq '.warehouses[0].id')
curl -s ${base}/api/inventory/adjust \\
  -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' -d '{
    "product_id": '$PRODUCT', "warehouse_id": '$WAREHOUSE',
    "quantity": 10 }'`,
    },
  ],
}
