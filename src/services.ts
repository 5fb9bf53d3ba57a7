import { inventory } from '#inventory/app.ts'
import type { Service } from '#platform/http/service.ts'
import { publishing } from '#publishing/app.ts'
import { storage } from '#storage/app.ts'

/** All services, for commands that work on each of them. */
export const services = [storage, publishing, inventory] as unknown as Service[]
