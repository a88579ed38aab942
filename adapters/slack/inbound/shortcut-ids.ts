/** How Slack names our shortcuts when somebody chooses them. */
export const shortcutIds = { pick: 'run_command', lookUp: 'look_up_email' } as const
