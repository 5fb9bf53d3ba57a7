import { forbidden, notFound } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import type { ProfileChange } from './schema.ts'
import * as store from './store.ts'

const missing = () => notFound('User not found')

export const readProfile = async (ctx: Publishing, handle: string) => {
  const { is_suspended, ...profile } = (await store.findProfile(ctx.db.sql, handle)) ?? missing()
  if (is_suspended) forbidden('Account suspended')
  return profile
}

export const ownProfile = async (ctx: Publishing, me: Principal) =>
  (await store.findProfileById(ctx.db.sql, me.userId)) ?? missing()

const changeable = [
  'username',
  'bio',
  'location',
  'website',
  'avatar_url',
  'banner_url',
  'is_protected',
] as const

export const changeProfile = async (ctx: Publishing, me: Principal, input: ProfileChange) => {
  const given = changeable.filter((field) => input[field] !== undefined).map((field) => [field, input[field]])
  if (given.length === 0) return ownProfile(ctx, me)
  const change = Object.fromEntries(given) as ProfileChange
  return (await ctx.db.write((q) => store.updateProfile(q, me.userId, change))) ?? missing()
}
