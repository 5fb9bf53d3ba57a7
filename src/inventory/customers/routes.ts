import { Id, PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import { Message } from '../schema.ts'
import * as customers from './customers.ts'
import {
  Address,
  AddressChange,
  Customer,
  CustomerChange,
  CustomerInput,
  CustomerQuery,
  NewAddress,
} from './schema.ts'

const tags = ['Customers']
const read = { access: 'staff' } as const
const write = { access: 'staff', idempotent: true } as const
const AddressPath = Type.Object({ id: Id, addressId: Id })

export const customerRoutes: Module = (app, ctx) => {
  app.get(
    '/api/customers',
    {
      schema: {
        operationId: 'listCustomers',
        summary: 'List customers',
        description:
          'Returns customers, newest first unless `sort` says otherwise, 50 on a page by default and at most ' +
          '200. `search` matches the name, company and email.',
        tags,
        querystring: CustomerQuery,
        response: { 200: Type.Object({ customers: Type.Array(Customer), ...pageFields }) },
      },
      config: read,
    },
    (req) => customers.listCustomers(ctx, who(req), req.query),
  )

  app.get(
    '/api/customers/:id',
    {
      schema: {
        operationId: 'getCustomer',
        summary: 'Get a customer',
        description:
          'Returns a customer with their addresses, the number of their orders and what they have spent. ' +
          'Cancelled orders do not count, and returns are deducted.',
        tags,
        params: PathId,
        response: { 200: Customer },
      },
      config: read,
    },
    (req) => customers.readCustomer(ctx, who(req), req.params.id),
  )

  app.post(
    '/api/customers',
    {
      schema: {
        operationId: 'createCustomer',
        summary: 'Create a customer',
        description:
          'Adds a customer. An email that another customer has is refused with 409. Every role may do ' +
          'this.',
        tags,
        body: CustomerInput,
        response: { 201: Customer },
      },
      config: { ...write, created: '/api/customers/{id}' },
    },
    async (req, reply) => {
      reply.code(201)
      return customers.createCustomer(ctx, who(req), req.body)
    },
  )

  app.put(
    '/api/customers/:id',
    {
      schema: {
        operationId: 'replaceCustomer',
        summary: 'Replace a customer',
        description:
          'Replaces a customer; optional fields that are left out are reset. Addresses stay. An email that ' +
          'another customer has is refused with 409.',
        tags,
        params: PathId,
        body: CustomerInput,
        response: { 200: Customer },
      },
      config: { ...write, refuses: [409] },
    },
    (req) => customers.replaceCustomer(ctx, who(req), req.params.id, req.body),
  )

  app.patch(
    '/api/customers/:id',
    {
      schema: {
        operationId: 'changeCustomer',
        summary: 'Change a customer',
        description:
          'Changes the given fields of a customer and nothing else. An email that another customer has is ' +
          'refused with 409.',
        tags,
        params: PathId,
        body: CustomerChange,
        response: { 200: Customer },
      },
      config: { ...write, refuses: [409] },
    },
    (req) => customers.changeCustomer(ctx, who(req), req.params.id, req.body),
  )

  app.delete(
    '/api/customers/:id',
    {
      schema: {
        operationId: 'deleteCustomer',
        summary: 'Delete a customer',
        description: 'Deletes a customer and their addresses. Their orders stay and keep the name.',
        tags,
        params: PathId,
        response: { 200: Message },
      },
      config: { ...write, refuses: [409] },
    },
    (req) => customers.deleteCustomer(ctx, who(req), req.params.id),
  )

  app.post(
    '/api/customers/:id/addresses',
    {
      schema: {
        operationId: 'addAddress',
        summary: 'Add a customer address',
        description:
          'Adds a billing or shipping address. A customer has one default of each type; a new default ' +
          'takes over from the earlier one.',
        tags,
        params: PathId,
        body: NewAddress,
        response: { 201: Address },
      },
      config: write,
    },
    async (req, reply) => {
      reply.code(201)
      return customers.addAddress(ctx, who(req), req.params.id, req.body)
    },
  )

  app.put(
    '/api/customers/:id/addresses/:addressId',
    {
      schema: {
        operationId: 'replaceAddress',
        summary: 'Replace a customer address',
        description:
          'Replaces an address; optional fields that are left out are reset. Orders keep the address that ' +
          'they were placed with.',
        tags,
        params: AddressPath,
        body: NewAddress,
        response: { 200: Address },
      },
      config: write,
    },
    (req) => customers.replaceAddress(ctx, who(req), req.params, req.body),
  )

  app.patch(
    '/api/customers/:id/addresses/:addressId',
    {
      schema: {
        operationId: 'changeAddress',
        summary: 'Change a customer address',
        description:
          'Changes the given fields of an address and nothing else. Orders keep the address that they were ' +
          'placed with.',
        tags,
        params: AddressPath,
        body: AddressChange,
        response: { 200: Address },
      },
      config: write,
    },
    (req) => customers.changeAddress(ctx, who(req), req.params, req.body),
  )

  app.delete(
    '/api/customers/:id/addresses/:addressId',
    {
      schema: {
        operationId: 'deleteAddress',
        summary: 'Delete a customer address',
        description: 'Deletes an address. Orders keep the address that they were placed with.',
        tags,
        params: AddressPath,
        response: { 200: Message },
      },
      config: write,
    },
    (req) => customers.deleteAddress(ctx, who(req), req.params),
  )
}
