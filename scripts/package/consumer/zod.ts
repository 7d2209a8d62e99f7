import type { LoginParams, Relationship } from 'rapport-sdk'
import { LoginParamsSchema, RegisterParamsSchema, RelationshipSchema } from 'rapport-sdk/zod'
import * as z from 'zod/v4'

// Compiled with several versions of zod, of which the app has one copy.

const Friends = z.array(RelationshipSchema)
const Form = z.object({ login: LoginParamsSchema, accepted: z.boolean() })

export const friends = (value: unknown): Relationship[] => Friends.parse(value)
export const parseLogin = (value: unknown): LoginParams => Form.parse(value).login
export const parseName = (value: unknown): string =>
  LoginParamsSchema.pick({ login: true }).extend({ remember: z.boolean() }).parse(value).login
export const consent = (value: unknown): boolean | null | undefined => RegisterParamsSchema.shape.consent.parse(value)

// @ts-expect-error a relationship is not a login
export const wrong = (value: unknown): LoginParams[] => Friends.parse(value)
