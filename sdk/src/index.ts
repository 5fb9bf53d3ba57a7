export type { Call, List, ServiceClient } from './client.ts'
export type { Download, DownloadOptions, ObjectHead } from './downloads.ts'
export { type FieldError, TrivetError } from './errors.ts'
export type { EventsOptions, TrivetEvent } from './events.ts'
export type { components as InventorySchemas } from './generated/inventory.ts'
export type { components as PublishingSchemas } from './generated/publishing.ts'
export type { components as StorageSchemas } from './generated/storage.ts'
export { randomId } from './ids.ts'
export { createInventory, type InventoryClient } from './inventory.ts'
export { pathOfKey, pathOfObject } from './object-path.ts'
export {
  createPublishing,
  type PublishingClient,
  type PublishingOptions,
  type PublishingTokens,
} from './publishing.ts'
export type { ClientOptions, Transport, Waiting } from './send.ts'
export { type Bucket, createStorage, type Folder, type FolderOptions, type StorageClient } from './storage.ts'
export type { BatchedFile, BatchOptions, UploadedBatch } from './upload-batch.ts'
export type { UploadSource } from './upload-source.ts'
export type { StoredObject, Upload, UploadOptions, UploadProgress } from './uploads.ts'
export { verifyWebhook, WebhookVerificationError } from './webhooks.ts'
