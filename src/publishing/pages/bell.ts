import { html, raw } from '#platform/web/html.ts'
import { icon } from './icons.ts'

/** The number in the header does not grow beyond this. */
export const maxUnread = 99

/** The link to the notifications, with the number of those that are unread. */
export const bell = (path: string, unread = 0) => {
  const shown = unread > maxUnread ? `${maxUnread}+` : String(unread)
  const isHere = path.split('?')[0] === '/notifications'
  return html`<a class="bell" href="/notifications" aria-label="Notifications${unread > 0 && `, ${unread > maxUnread ? `more than ${maxUnread}` : unread} unread`}"${isHere && raw(' aria-current="page"')}>${icon('bell')}${unread > 0 && html`<b>${shown}</b>`}<span>Notifications</span></a>`
}
