import "../ui/theme.css";
import "../ui/fonts.css";
import "../ui/app.css";
import { mount } from "svelte";
import { speak } from "../app/catalogues.svelte";
import { settings } from "../app/settings.svelte";
import Verifier from "./Verifier.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no #app to mount into");
const parts = ["table", "verify"] as const;
void Promise.all(parts.map((part) => speak(settings.locale, part))).then(() => mount(Verifier, { target }));
