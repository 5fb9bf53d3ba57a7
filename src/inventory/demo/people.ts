const password = 'trivet-demo'

/** Who can sign in to the demo. */
export const admin = { role: 'Admin of Larkspur Goods', login: 'noor@larkspur.example', password }
export const staff = { role: 'Staff of Larkspur Goods', login: 'tom@larkspur.example', password }
