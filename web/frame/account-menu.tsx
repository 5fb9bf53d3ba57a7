import { BookOpen, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-preact'
import { confirmDiscard } from '#web/components/confirm.tsx'
import { Menu, type MenuItem } from '#web/components/menu.tsx'
import { toastError } from '#web/components/toast.tsx'
import { hasUnsaved } from '#web/components/unsaved.ts'
import { instanceVersion } from './console.ts'
import { openKeys, readings } from './help.tsx'
import { signOut, useSession } from './session.ts'
import { chooseTheme, type Theme, theme } from './theme.ts'

export const themes: [Theme, string, typeof Sun][] = [
  ['system', 'System', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
]

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('')
    .toUpperCase()

export const leave = async () => {
  if (hasUnsaved() && !(await confirmDiscard())) return
  await signOut().catch(toastError)
}

/** Who is signed in, with which role in which organization; the theme; help; and the way out. */
export function AccountMenu() {
  const { user, role, organization } = useSession()
  const items = (): MenuItem[] => [
    ...themes.map(([value, label, icon]) => ({
      label,
      icon,
      checked: theme.value === value,
      onSelect: () => chooseTheme(value),
    })),
    ...readings.map(({ label, href }) => ({ label, href, icon: BookOpen, apart: true })),
    { label: 'Keyboard shortcuts', icon: Keyboard, onSelect: openKeys },
    { label: 'Sign out', icon: LogOut, onSelect: leave },
  ]
  return (
    <Menu
      label="Account"
      class="account-button"
      items={items}
      head={
        <>
          <strong>{user.name}</strong>
          <span>{user.email}</span>
          <span>
            {role} · {organization.name}
          </span>
        </>
      }
      foot={`Trivet ${instanceVersion()}`}
    >
      {/* As generated content, because a visible text would have to be a part of the button's name. */}
      <span class="avatar" data-initials={initials(user.name)} />
    </Menu>
  )
}
