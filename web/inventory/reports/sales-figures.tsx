import type { Schemas } from '../api.ts'
import { amount, share } from '../shared/amounts.ts'

/** What was sold in all. */
export const SalesFigures = ({ revenue, cogs, gross_margin, gross_margin_pct }: Schemas['Figures']) => (
  <dl class="figures">
    <div>
      <dt>Revenue</dt>
      <dd>{amount(revenue)}</dd>
    </div>
    <div>
      <dt>Cost of goods</dt>
      <dd>{amount(cogs)}</dd>
    </div>
    <div>
      <dt>Margin</dt>
      <dd>
        {amount(gross_margin)} <span class="quiet figure-share">{share(gross_margin_pct)}</span>
      </dd>
    </div>
  </dl>
)
