/** As whom workflows ask. Ids of people are in capital letters. */
export const workflowAccount = 'workflow'

/** An id that Slack gives to people: with anything else in it, it could be read as that of another workspace or of a workflow. */
export const isMemberId = (id: string): boolean => /^[A-Z0-9]{1,40}$/.test(id)
