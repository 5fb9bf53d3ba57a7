import {
  ChartLine,
  CreditCard,
  Database,
  KeyRound,
  ScrollText,
  Settings as SettingsIcon,
  Users,
  Webhook,
} from 'lucide-preact'
import { startConsole } from '#web/frame/app.tsx'
import { api } from './api.ts'
import { find } from './find.ts'
import { live } from './live.ts'
import { rolesWith } from './permissions.ts'
import { session } from './session.ts'
import { Uploads } from './uploads/panel.tsx'

/** The console of storage: its table of contents. */
startConsole({
  service: 'storage',
  title: 'Storage',
  session,
  rolesWith,
  home: '/buckets',
  events: api.events,
  live,
  find,
  errands: [
    { label: 'New bucket', path: '/buckets', needs: 'bucket.create' },
    { label: 'New key', path: '/keys', needs: 'api_key.manage' },
    { label: 'Invite member', path: '/members', needs: 'member.add' },
    { label: 'New webhook', path: '/webhooks', needs: 'webhook.manage' },
  ],
  Panel: Uploads,
  screens: [
    {
      path: '/buckets',
      title: 'Buckets',
      nav: { label: 'Buckets', icon: Database },
      load: () => import('./buckets/buckets.tsx').then((m) => m.Buckets),
    },
    {
      path: '/buckets/:bucketId/:tab?',
      title: 'Bucket',
      load: () => import('./bucket/bucket-page.tsx').then((m) => m.BucketPage),
    },
    {
      path: '/keys',
      title: 'Keys',
      nav: { label: 'Keys', icon: KeyRound },
      load: () => import('./keys/keys.tsx').then((m) => m.Keys),
    },
    {
      path: '/members',
      title: 'Members',
      nav: { label: 'Members', icon: Users },
      needs: 'member.list',
      load: () => import('./members/members.tsx').then((m) => m.Members),
    },
    {
      path: '/usage',
      title: 'Usage',
      nav: { label: 'Usage', icon: ChartLine },
      load: () => import('./usage/usage.tsx').then((m) => m.Usage),
    },
    {
      path: '/audit-log',
      title: 'Audit log',
      nav: { label: 'Audit log', icon: ScrollText },
      needs: 'audit.read',
      load: () => import('./audit/audit-log.tsx').then((m) => m.AuditLog),
    },
    {
      path: '/webhooks',
      title: 'Webhooks',
      nav: { label: 'Webhooks', icon: Webhook },
      needs: 'webhook.manage',
      load: () => import('./webhooks/webhooks.tsx').then((m) => m.Webhooks),
    },
    {
      path: '/webhooks/:webhookId',
      title: 'Webhook',
      needs: 'webhook.manage',
      load: () => import('./webhooks/webhook-page.tsx').then((m) => m.WebhookPage),
    },
    {
      path: '/billing',
      title: 'Billing',
      nav: { label: 'Billing', icon: CreditCard },
      needs: 'billing.read',
      load: () => import('./billing/billing.tsx').then((m) => m.Billing),
    },
    {
      path: '/settings',
      title: 'Settings',
      nav: { label: 'Settings', icon: SettingsIcon },
      load: () => import('./settings/settings.tsx').then((m) => m.Settings),
    },
  ],
  guestScreens: [
    {
      path: '/create-account',
      title: 'Create an account',
      link: 'Create an account',
      load: () => import('./account/create-account.tsx').then((m) => m.CreateAccount),
    },
    {
      path: '/forgot-password',
      title: 'Forgot password?',
      link: 'Forgot password?',
      load: () => import('./account/forgot-password.tsx').then((m) => m.ForgotPassword),
    },
  ],
})
