import { type Module, who } from '../access.ts'
import { Ok, ok } from '../envelope.ts'
import { changeEmail, confirmEmail } from './email.ts'
import { EmailChange, EmailConfirmation, Message, OwnEmail } from './schema.ts'

const tags = ['Accounts']

export const emailRoutes: Module = (app, ctx) => {
  app.patch(
    '/api/users/me/email',
    {
      schema: {
        operationId: 'changeEmail',
        summary: 'Change your email address',
        description:
          'Sends a link to the new address after checking the password, and a notice to the old one. The address ' +
          'changes when the link is opened, which works once, within an hour. A server that sends no mail changes it ' +
          'at once. An address that is in use is refused with 409. An address receives at most 3 such mails an hour, ' +
          'together with those for passwords.',
        tags,
        body: EmailChange,
        response: { 200: Ok(OwnEmail) },
      },
      config: { access: 'user', limit: 'signIn', refuses: [409] },
    },
    async (req) => ok(await changeEmail(ctx, who(req), req.body)),
  )

  app.post(
    '/api/auth/confirm-email',
    {
      schema: {
        operationId: 'confirmEmail',
        summary: 'Confirm a new email address',
        description:
          'Gives an account its new address, with the token that was mailed to it. A token works once, within an ' +
          'hour; an invalid, expired or used one is refused. Sessions go on.',
        tags,
        body: EmailConfirmation,
        response: { 200: Ok(Message) },
      },
      config: { access: 'public', limit: 'signIn', refuses: [409] },
    },
    async (req) => {
      await confirmEmail(ctx, req.body.token)
      return ok({ message: 'The address was changed' })
    },
  )
}
