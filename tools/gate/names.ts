import { globSync, readFileSync } from 'node:fs'

/** Names that may be exported by two files, and why each of them may. */
const allowed: Record<string, string> = {
  text: 'a block of a view, and a field of an answer that is text: no file is about both',
}

const exported = /^export (?:async )?(?:type|interface|function|const|class) (\w+)/gm

/** Every name that two files of src/ or adapters/ export, as a line each. */
export async function nameFaults(): Promise<string[]> {
  const found = globSync('{src,adapters}/**/*.ts')
    .toSorted()
    .flatMap((file) =>
      [...new Set([...readFileSync(file, 'utf8').matchAll(exported)].map(([, name = '']) => name))].map(
        (name) => ({ name, file }),
      ),
    )
  const shared = [...Map.groupBy(found, ({ name }) => name)].filter(([, places]) => places.length > 1)
  return shared
    .filter(([name]) => !Object.hasOwn(allowed, name))
    .map(
      ([name, places]) =>
        `${name} is exported by ${places.map(({ file }) => file).join(' and ')}: one word, one meaning, so rename one of them`,
    )
}
