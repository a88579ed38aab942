/** As whom workflows ask. Ids of people are in capital letters. */
export const workflowAccount = 'workflow'
