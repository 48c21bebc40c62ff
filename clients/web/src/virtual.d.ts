/** One part of one language's words, made by build/split_languages.ts. */
declare module "virtual:catalogue/*" {
  const words: unknown;
  export default words;
}
