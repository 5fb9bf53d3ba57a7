/** What the screens of webhooks need from a service. They know nothing else of it. */

export type Webhook = {
  id: string
  url: string
  types: string[]
  description: string | null
  is_active: boolean
  /** Why the server switched it off. */
  switched_off: string | null
  /** Who created it, or has directed or switched it on since. */
  created_by: { id: string; name: string } | null
  created_at: string
}

export type DeliveryStatus = 'pending' | 'succeeded' | 'dead'

export type Delivery = {
  id: string
  event_id: string
  type: string
  attempts: number
  status: DeliveryStatus
  response_status: number | null
  response_time_ms: number | null
  response_body: string | null
  error: string | null
  next_attempt_at: string | null
  created_at: string
}

export type TestResult = Pick<Delivery, 'response_status' | 'response_time_ms' | 'response_body' | 'error'>

export type WebhookInput = { url: string; types: string[]; description: string | null }
type WebhookChange = Partial<WebhookInput> & { is_active?: boolean }
type Replay = { after: string; until?: string; types?: string[] }
export type DeliveryPage = { status?: DeliveryStatus; limit: number; offset: number }

export type WebhooksClient = {
  /** The address of the list in the console. */
  address: string
  /** Every type of event that can be sent. */
  eventTypes: readonly string[]
  list(signal: AbortSignal): Promise<Webhook[]>
  get(id: string, signal: AbortSignal): Promise<Webhook>
  create(input: WebhookInput, idempotencyKey: string): Promise<Webhook & { secret: string }>
  change(id: string, change: WebhookChange): Promise<Webhook>
  remove(id: string): Promise<void>
  rotate(id: string): Promise<{ secret: string }>
  test(id: string): Promise<TestResult>
  deliveries(
    id: string,
    page: DeliveryPage,
    signal: AbortSignal,
  ): Promise<{ total: number; deliveries: Delivery[] }>
  retry(id: string, deliveryId: string): Promise<void>
  /** Returns how many events will be sent again. */
  replay(id: string, replay: Replay): Promise<number>
}
