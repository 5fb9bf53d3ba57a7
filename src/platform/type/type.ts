export type { Static, TSchema } from 'typebox'
export * as Type from './builders.ts'
