/**
 * The floors of the house, from low to high: each imports only what stands on a floor before its own, types included. Within
 * the kernel everything knows the command, the change and the policy; there the rule is that no file imports in a circle.
 */
export const floors: { name: string; files: RegExp }[] = [
  { name: 'src/lib', files: /^src\/lib\// },
  { name: 'src/kernel', files: /^src\/kernel\// },
  { name: 'src/features', files: /^src\/features\// },
  { name: 'packs', files: /^packs\// },
  { name: 'commands', files: /^commands\// },
  { name: 'adapters', files: /^adapters\// },
  { name: 'src/main.ts and src/cli', files: /^src\/(main\.ts$|cli\/)/ },
]
