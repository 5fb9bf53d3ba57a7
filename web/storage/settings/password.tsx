import { ChangePassword } from '#web/frame/change-password.tsx'
import { api } from '../api.ts'

export const Password = () => (
  <ChangePassword
    names={{ current: 'currentPassword', next: 'newPassword', revokeKeys: 'revokeKeys' }}
    send={(body) => api.PATCH('/settings/password', { body })}
  />
)
