import type { Sql } from '#platform/db/database.ts'

type Row = { subject: string; detail: string }

/** Invariants of accounts, audit log and billing. Each statement returns the violations. */
export const accountChecks: Record<string, (q: Sql) => Promise<readonly Row[]>> = {
  'an organization has one owner': (q) => q<Row[]>`
    select o.id as subject, format('%s owners', count(u.id)) as detail
    from storage.organizations o left join storage.users u on u.org_id = o.id and u.role = 'owner'
    group by o.id having count(u.id) <> 1`,

  'audit rows are counted': (q) => q<Row[]>`
    with found as (select org_id, action, count(*) as rows from storage.audit_logs group by org_id, action),
      counted as (select org_id, action, sum(rows) as rows from storage.audit_counts group by org_id, action)
    select format('%s of %s', action, org_id) as subject,
      format('%s rows, %s counted', coalesce(f.rows, 0), coalesce(c.rows, 0)) as detail
    from found f full join counted c using (org_id, action) where coalesce(f.rows, 0) <> coalesce(c.rows, 0)`,

  'promo codes are used as often as they were redeemed': (q) => q<Row[]>`
    select p.code as subject, format('%s uses, %s redemptions', p.uses, count(r.id)) as detail
    from storage.promo_codes p left join storage.promo_redemptions r on r.code = p.code
    group by p.code having p.uses <> count(r.id)`,

  'two-factor login has a secret': (q) => q<Row[]>`
    select id as subject, 'on, but without a secret' as detail
    from storage.users where totp_enabled and totp_secret is null`,
}
