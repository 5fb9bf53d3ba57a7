export const nodeOptions: string[]
export const allocation: Record<string, string>
