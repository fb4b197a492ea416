/** A line of a file, with its number from 1 on; `problem`: why it cannot be read. */
export type FileLine = { readonly number: number } & ({ readonly text: string } | { readonly problem: string })
