import "../ui/theme.css";
import "../ui/fonts.css";
import "../ui/app.css";
import { mount } from "svelte";
import { speak } from "./catalogues.svelte";
import House from "./House.svelte";
import { keepClientAtHand } from "../pwa/register";
import { settings } from "./settings.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no #app to mount into");
void speak(settings.locale, "table").then(() => mount(House, { target }));
keepClientAtHand();
