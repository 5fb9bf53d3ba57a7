/** The commands of `clientCommands`, known before their modules are loaded. */
export const clientCommandNames = 'login logout mb ls cp mv sync cat rm share'.split(' ')
