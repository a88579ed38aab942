/** How many processes the files of a process share and leave running: its browser. */
export const kept = { children: 0 }
